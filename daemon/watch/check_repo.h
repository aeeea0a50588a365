#pragma once
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "advisories/osv/advisory.h"
#include "daemon/hub/client.h"
#include "daemon/watch/schedule.h"
#include "storage/store.h"

namespace modelwatch::watch {

struct CheckOptions {
  advisories::FeedIdentity feed;
  std::string hub_identity = "https://huggingface.co";
  advisories::Impact minimum = advisories::Impact::legal;  ///< `advisory.minimum`; `unknown` always gets one
  bool full_read = false;             ///< also read what the cheap poll cannot see: gating, licence, default branch
  std::chrono::seconds full_read_every{6 * 3600};
  int misses_until_gone = 3;
  std::chrono::seconds gone_after{24 * 3600};
  Pace pace;                          ///< for the time of the next check
  std::string holder = "modelwatch";  ///< of the lease; a second check of the same holder takes it over
};

/// What a person wants to see while it goes on. Called on the checking thread.
struct Progress {
  std::function<void(const std::string& step, int done, int total)> step = [](auto&&...) {};
  std::function<void(const storage::ChangeRow&)> change = [](auto&&...) {};
};

struct CheckReport {
  enum class Outcome { unchanged, updated, baseline, gone, gated, rate_limited, failed, busy, interrupted };
  Outcome outcome = Outcome::unchanged;
  int revisions = 0;                              ///< processed in this check
  std::vector<std::string> advisories;            ///< ids opened
  std::string message;                            ///< why, where it did not go well
  std::optional<storage::Time> retry_at;
  storage::Tracked tracked;                       ///< the row as it was left
};

/// The pipeline, start to end, for one (repository, ref): head → commits → listing → files → snapshot → changes → plan →
/// advisories → one transaction per revision. Blocking; idempotent by (repository id, sha); may be killed anywhere.
CheckReport check_repo(const storage::Tracked& tracked, hub::Client& hub, storage::Store& store, const CheckOptions& options,
                       storage::Time now, const Progress& progress, std::stop_token stop);

}  // namespace modelwatch::watch
