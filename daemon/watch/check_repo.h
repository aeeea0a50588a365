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
  bool full_read = false;             ///< also read what the cheap poll cannot see: gating, licence, tags
  std::chrono::seconds full_read_every{6 * 3600};
  int misses_until_gone = 3;
  std::chrono::seconds gone_after{24 * 3600};
  Pace pace;                          ///< for the time of the next check
  std::string holder = "modelwatch";  ///< of the lease; a second check of the same holder takes it over
  std::stop_token drain;              ///< asks to end after the present revision; `stop` cuts at once
};

/// What a person wants to see while it goes on. Called on the checking thread.
struct Progress {
  std::function<void(const std::string& step, int done, int total)> step = [](auto&&...) {};
  std::function<void(const storage::ChangeRow&)> change = [](auto&&...) {};
};

struct CheckReport {
  enum class Outcome {
    unchanged,
    updated,       ///< new revisions, or events of the repository's life
    baseline,      ///< first sight
    missing,       ///< not found, or private to others; not yet long enough to count as gone
    gone,
    gated,         ///< needs access that we do not have, and nothing could be read
    disabled,
    rate_limited,  ///< or short of quota: what is left to do goes on at `retry_at`
    failed,        ///< the Hub (kind upstream) or the database (kind database)
    busy,          ///< another process is checking it
    interrupted,
  };
  Outcome outcome = Outcome::unchanged;
  int revisions = 0;                              ///< processed in this check
  std::vector<std::string> advisories;            ///< ids opened
  std::string message;                            ///< one line: why, where it did not go well
  ErrorKind kind = ErrorKind::upstream;           ///< of the failure
  std::optional<storage::Time> retry_at;
  storage::Tracked tracked;                       ///< the row as it was left
};
std::string_view name(CheckReport::Outcome outcome);

/// The pipeline, start to end, for one (repository, ref): head → commits → listing → files → snapshot → changes → plan →
/// advisories → one transaction per revision. Blocking; idempotent by (repository id, sha); may be killed anywhere.
CheckReport check_repo(const storage::Tracked& tracked, hub::Client& hub, storage::Store& store, const CheckOptions& options,
                       storage::Time now, const Progress& progress, std::stop_token stop);

}  // namespace modelwatch::watch
