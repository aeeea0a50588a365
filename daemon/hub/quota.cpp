#include "daemon/hub/quota.h"

#include <algorithm>
#include <charconv>

namespace modelwatch::hub {

namespace {

constexpr std::int64_t kLongestWindow = 3'600;  // seconds; more is a mistake, or meant to stop us for good

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '"' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '"' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::optional<std::int64_t> number(std::string_view text) {
  text = trimmed(text);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return {};
  return value;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (parts.size() < 16) {
    const auto end = text.find(at);
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return parts;
}

/// `"api";r=499;t=295` → the name (the last part without '=') and its parameters.
struct Item {
  std::string_view name;
  std::optional<std::int64_t> remaining, seconds, limit;
};

Item read_item(std::string_view text) {
  Item item;
  for (const std::string_view part : split(text, ';')) {
    const auto equals = part.find('=');
    if (equals == std::string_view::npos) {
      item.name = part;
      continue;
    }
    const std::string_view key = trimmed(part.substr(0, equals));
    const auto value = number(part.substr(equals + 1));
    if (key == "r") item.remaining = value;
    if (key == "t") item.seconds = value;
    if (key == "q") item.limit = value;
  }
  return item;
}

std::vector<Item> read_items(const Response& response, std::string_view header) {
  std::vector<Item> items;
  if (const std::string* text = response.header(header)) {
    for (const std::string_view part : split(*text, ',')) items.push_back(read_item(part));
  }
  return items;
}

}  // namespace

std::vector<std::pair<std::string, Quota>> read_quotas(const Response& response, Time now) {
  const std::vector<Item> policies = read_items(response, "ratelimit-policy");
  std::vector<std::pair<std::string, Quota>> quotas;
  for (const Item& item : read_items(response, "ratelimit")) {
    if (item.name.empty() || !item.remaining || !item.seconds) continue;
    Quota quota;
    quota.remaining = *item.remaining;
    quota.resets = now + std::chrono::seconds(std::min(*item.seconds, kLongestWindow));
    const auto policy = std::find_if(policies.begin(), policies.end(), [&](const Item& p) { return p.name == item.name; });
    quota.limit = policy != policies.end() && policy->limit ? *policy->limit : 0;
    quotas.emplace_back(item.name, quota);
  }
  return quotas;
}

std::optional<Time> retry_at(const Response& response, Time now) {
  for (const auto& [bucket, quota] : read_quotas(response, now)) {
    if (quota.remaining == 0) return quota.resets + std::chrono::seconds(1);
  }
  if (const std::string* after = response.header("retry-after")) {
    if (const auto seconds = number(*after)) return now + std::chrono::seconds(std::min(*seconds, kLongestWindow));
  }
  return {};
}

std::string_view bucket_of(std::string_view target) {
  const std::string_view path = target.substr(0, target.find('?'));
  if (path.find("/resolve/") != path.npos || path.find("/raw/") != path.npos || path.starts_with("/api/resolve-cache/"))
    return "resolvers";
  return path.starts_with("/api/") ? "api" : "pages";
}

}  // namespace modelwatch::hub
