#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "daemon/hub/bodies.h"
#include "daemon/hub/errors.h"
#include "daemon/hub/paging.h"
#include "daemon/hub/quota.h"
#include "daemon/hub/redirects.h"
#include "daemon/hub/url.h"

using namespace modelwatch;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void bodies(std::string_view body) {
  if (const auto info = hub::read_info(body, "m")) require(!info->name.empty() && (info->sha.empty() || info->sha.size() == 40));
  if (const auto commits = hub::read_commits(body, "m")) {
    for (const auto& commit : *commits) require(commit.sha.size() == 40);
  }
  if (const auto tree = hub::read_tree(body, "m")) {
    for (const auto& file : *tree) require(!file.path.empty() && (!file.lfs || file.lfs->sha256.empty() || file.lfs->sha256.size() == 64));
  }
  (void)hub::read_refs(body, "m");
  (void)hub::read_list(body, "m");
  (void)hub::read_date(body);
}

// The same bytes as every header that is read.
void headers(std::string_view text) {
  static constexpr std::string_view kToken = "hf_secret";
  hub::Response response;
  response.body = text;
  for (const char* name : {"location", "link", "ratelimit", "ratelimit-policy", "retry-after", "x-error-code", "x-error-message", "x-request-id", "x-total-count"})
    response.headers.emplace_back(name, text);
  const hub::Endpoint endpoint("https://hub.example");
  for (const int status : {200, 302, 401, 403, 404, 429, 500}) {
    response.status = status;
    const hub::Trouble trouble = hub::classify(response, {"m", kToken, false}, {});
    require(trouble.message.find(kToken) == std::string::npos && trouble.message.find('\n') == std::string::npos && trouble.message.size() < 512);
    const auto next = hub::next_hop(endpoint, "https://hub.example/a/b?c", response);
    if (const auto* other = std::get_if<hub::OtherHost>(&next)) require(!endpoint.owns(other->url) && !hub::origin_of(other->url).empty());
    if (const auto* within = std::get_if<hub::WithinHub>(&next)) require(endpoint.owns(endpoint.at(within->target)));
  }
  if (const auto next = hub::next_page(response)) require(endpoint.owns(endpoint.at(hub::target_of(*next))));
  (void)hub::total_count(response);
  for (const auto& [bucket, quota] : hub::read_quotas(response, {})) require(quota.resets.time_since_epoch().count() <= 3'600);
  (void)hub::moved_name("/api/models/a/b/x", "a/b", text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  bodies(text);
  headers(text);
  return 0;
}
