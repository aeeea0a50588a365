#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "daemon/hub/answers.h"
#include "daemon/hub/transport.h"

namespace modelwatch::hub {

using Time = std::chrono::sys_seconds;

/// The buckets that `RateLimit: "api";r=499;t=295` and `RateLimit-Policy: "fixed window";"api";q=500;w=300` tell of. Read
/// leniently; an answer without them, or with nonsense, tells nothing. Windows longer than an hour count as an hour.
std::vector<std::pair<std::string, Quota>> read_quotas(const Response& response, Time now);

/// When to ask again after a 429 or 503, as the answer itself says: the end of an exhausted window, one second added,
/// else Retry-After in seconds (an hour at most). None where it says nothing.
std::optional<Time> retry_at(const Response& response, Time now);

/// The bucket that a request for this path is counted in.
std::string_view bucket_of(std::string_view target);

}  // namespace modelwatch::hub
