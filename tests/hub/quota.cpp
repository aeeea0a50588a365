#include "tests/hub/quota.h"

#include <algorithm>

namespace modelwatch::testhub {

std::string_view to_string(Bucket bucket) {
  switch (bucket) {
    case Bucket::api:
      return "api";
    case Bucket::resolvers:
      return "resolvers";
    case Bucket::pages:
      return "pages";
  }
  return "";
}

Allowance Quotas::charge(const std::string& who, Plan plan, Bucket bucket, Clock::Time now) {
  const auto [at, fresh] = windows_.try_emplace({who, bucket}, Window{now, 0});
  Window& current = at->second;
  if (now - current.opened >= window) current = Window{now, 0};
  const std::int64_t most = limit(plan, bucket);
  Allowance allowance;
  allowance.limit = most;
  allowance.allowed = current.used < most;
  if (allowance.allowed) ++current.used;
  allowance.remaining = std::max<std::int64_t>(0, most - current.used);
  allowance.seconds_left = std::chrono::ceil<std::chrono::seconds>(current.opened + window - now).count();
  return allowance;
}

}  // namespace modelwatch::testhub
