#include "daemon/hub/retry.h"

namespace modelwatch::hub {

namespace {
constexpr std::chrono::seconds kLongestPause{2};  // beyond that it is for the schedule to wait
}

bool is_transient(const Response& response) {
  switch (response.status) {
    case 0: return !response.interrupted && !response.too_large;
    case 408:
    case 429:
    case 500:
    case 502:
    case 503:
    case 504: return true;
    default: return false;
  }
}

std::optional<std::chrono::milliseconds> pause_before_retry(const Response& response, int attempt, std::chrono::milliseconds base,
                                                            double spread, Time now) {
  const auto backoff = std::chrono::duration_cast<std::chrono::milliseconds>(base * (1 << (attempt - 1)) * (0.5 + spread));
  if (response.status != 429 && response.status != 503) return backoff;
  const auto told = retry_at(response, now);
  if (!told) return backoff;
  if (*told - now > kLongestPause) return {};
  return *told - now + backoff;
}

}  // namespace modelwatch::hub
