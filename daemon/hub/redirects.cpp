#include "daemon/hub/redirects.h"

#include <algorithm>

#include "daemon/hub/url.h"

namespace modelwatch::hub {

namespace {

constexpr std::string_view kPublicHub = "https://huggingface.co";

bool is_redirect(int status) { return status == 301 || status == 302 || status == 303 || status == 307 || status == 308; }

std::string_view without_query(std::string_view target) { return target.substr(0, target.find('?')); }

/// "org/name", or a legacy single segment, of the characters that the Hub allows in them.
bool is_name(std::string_view text) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./";
  return !text.empty() && text.front() != '/' && text.back() != '/' && std::count(text.begin(), text.end(), '/') <= 1 &&
         text.find_first_not_of(allowed) == std::string_view::npos;
}

}  // namespace

Endpoint::Endpoint(std::string_view url) : origin(origin_of(url)) {
  const std::string_view path = origin.empty() ? std::string_view() : without_query(target_of(url));
  prefix = path.substr(0, path.find_last_not_of('/') + 1);
}

std::string Endpoint::at(std::string_view target) const {
  const bool has_prefix = prefix.empty() || (target.starts_with(prefix) && target.substr(prefix.size()).starts_with('/'));
  return (has_prefix ? origin : origin + prefix) + std::string(target);
}

bool Endpoint::owns(std::string_view url) const { return !origin.empty() && origin_of(url) == origin; }

NextHop next_hop(const Endpoint& endpoint, std::string_view url, const Response& response) {
  if (!is_redirect(response.status)) return Final{};
  const std::string* location = response.header("location");
  if (!location) return Broken{"a redirect without Location"};
  std::string next = resolve(url, *location);
  if (next.empty()) return Broken{"a redirect to something that is no address"};
  const std::string_view target = target_of(next);
  if (endpoint.owns(next)) return WithinHub{std::string(target)};
  const bool passed_on = origin_of(next) == kPublicHub && without_query(target) != without_query(target_of(url));
  if (passed_on) return WithinHub{std::string(target)};
  return OtherHost{std::move(next)};
}

std::string moved_name(std::string_view from, std::string_view name, std::string_view to) {
  from = without_query(from);
  to = without_query(to);
  for (const std::string_view prefix : {"/api/models/", "/"}) {
    if (!from.starts_with(prefix) || !to.starts_with(prefix)) continue;
    std::string_view rest = from.substr(prefix.size());
    if (!rest.starts_with(name) || (rest.size() > name.size() && rest[name.size()] != '/')) continue;
    rest.remove_prefix(name.size());
    std::string_view moved = to.substr(prefix.size());
    if (!moved.ends_with(rest)) return {};
    moved.remove_suffix(rest.size());
    return is_name(moved) && moved != name ? std::string(moved) : std::string();
  }
  return {};
}

}  // namespace modelwatch::hub
