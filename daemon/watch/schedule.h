#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "storage/records.h"

namespace modelwatch::watch {

using storage::Time;

/// How often a repository is asked.
struct Pace {
  std::chrono::seconds interval{600};  ///< the floor: right after a change, and while nothing is known
  std::chrono::seconds longest{3600};  ///< the ceiling, which a quiet repository reaches
};

/// When to ask again after a check at `now`: a twentieth of the time for which the repository has been quiet, between
/// the floor and the ceiling; once a day where it is disabled or gone. Spread by ±10 %, differently for each
/// repository and time, so that ten thousand of them do not come back together.
Time next_check(const storage::Tracked& tracked, const Pace& pace, Time now);

/// Remaining quota of one bucket, as the Hub last told it.
struct Budget {
  std::int64_t limit = 0, remaining = 0;  ///< requests in the window
  Time resets{};
};

/// True where less than a fifth of the window is left: the headroom that is kept for others behind the same address.
bool is_short(const Budget& budget, Time now);

/// Who is due. Pure over `now`: it reads no clock and does nothing; the loop asks, the workers act.
class Schedule {
 public:
  /// A (repository, ref) that is to be checked.
  struct Entry {
    std::int64_t tracked = 0;
    std::string name, ref;
  };
  /// How a check ended, as far as the schedule cares.
  struct Ending {
    std::int64_t tracked = 0;
    Time next{};
    bool refused = false;           ///< the Hub could not be reached or answered 5xx
    std::optional<Time> all_until;  ///< nobody may ask before: rate limited in the bucket of the cheap poll
  };

  /// Takes over the polled rows of the database. Those being checked stay marked as such.
  void replace(const std::vector<storage::Polled>& rows, Time now);
  /// The most overdue, at most `slots` and at most what the budget allows; each counts as being checked until `finished`.
  std::vector<Entry> take(Time now, std::size_t slots);
  void finished(const Ending& ending, Time now);
  void observe(const Budget& resolvers) { budget_ = resolvers; }

  /// When `take` may next have something to give; none where nothing waits.
  std::optional<Time> next() const;
  std::size_t size() const { return rows_.size(); }
  std::size_t running() const { return rows_.size() - queue_.size(); }

 private:
  struct Row {
    Entry entry;
    Time due{};
    bool running = false;
    bool tracked = true;  ///< false: removed while being checked
  };

  std::int64_t allowed(Time now) const;

  std::unordered_map<std::int64_t, Row> rows_;
  std::set<std::pair<Time, std::int64_t>> queue_;  ///< the waiting rows by due time
  std::optional<Budget> budget_;
  Time paused_until_{};
  int refusals_ = 0;  ///< in a row, over all repositories
};

}  // namespace modelwatch::watch
