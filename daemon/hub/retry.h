#pragma once
#include <chrono>
#include <optional>

#include "daemon/hub/quota.h"

namespace modelwatch::hub {

/// The set that the official client retries: 408, 429, 500, 502, 503, 504, time-outs and connection errors.
bool is_transient(const Response& response);

/// How long to wait before asking the same again; none where that would take longer than a call may. `attempt` counts
/// from 1, `base` doubles with each; `spread` in [0, 1) puts the pause between a half and one and a half of that.
std::optional<std::chrono::milliseconds> pause_before_retry(const Response& response, int attempt, std::chrono::milliseconds base,
                                                            double spread, Time now);

}  // namespace modelwatch::hub
