#pragma once
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "advisories/diff/diff.h"
#include "advisories/osv/ledger.h"
#include "daemon/watch/check_repo.h"
#include "daemon/watch/fetch.h"
#include "daemon/watch/lease.h"
#include "daemon/watch/sighting.h"
#include "daemon/watch/step.h"
#include "daemon/watch/walk.h"

namespace modelwatch::watch {

/// Where a revision stands on the ref.
struct Position {
  std::string previous;  ///< the head until now; empty for a baseline
  bool rewritten = false;
  bool ancestry_unknown = false;
  std::string base;      ///< advisories::Step::base
};

/// A stored revision as the next one is compared with it.
struct Standing {
  advisories::Snapshot snapshot;
  advisories::States states;
};

/// One check of one (repository, ref): what it works with, what it learns, and the steps of the pipeline. The order of
/// the steps is in check_repo.cpp.
class Check {
 public:
  Check(storage::Tracked tracked, hub::Client& hub, storage::Store& store, const CheckOptions& options, storage::Time now,
        const Progress& progress, std::stop_token stop);

  Step<void> take(Lease& lease);
  /// True where a HEAD would not do: first sight, the slow full read, a repository that was gone or disabled.
  bool wants_closer_look() const;
  Step<bool> head_moved();
  Step<hub::RepositoryInfo> look_closer();
  Step<Walk> new_commits(const hub::RepositoryInfo& info);
  /// Ends the check where the lease was lost, a stop is asked for, or less than a fifth of a quota is left.
  Step<void> may_go_on(Lease& lease);
  Position position(const Walk& walk, bool first) const;
  /// From the database where the revision is known there, else from the Hub.
  Step<Fetched> read(const std::string& sha, Lease& lease);
  /// An empty one for an empty sha.
  Step<Standing> standing(const std::string& sha);
  storage::RevisionRecord record(const Position& at, const hub::Commit& commit, std::vector<storage::StoredFile> files) const;
  /// Without diff, snapshots and states, which the pipeline has.
  Step<advisories::LedgerInput> ledger_input(const Position& at, const hub::Commit& commit);
  Step<void> commit(const storage::RevisionRecord& record, advisories::LedgerInput input);

  /// What an early end means for the row and the report.
  void conclude(const Ended& why);
  /// Writes the row and gives the report.
  CheckReport leave();
  void tell(const std::string& step, int done, int total) const { progress_.step(step, done, total); }

  storage::Tracked row;
  CheckReport report;

 private:
  bool full_read_due() const;
  Step<void> identify(const hub::RepositoryInfo& info);
  Step<void> witness(Sighting sighting);
  void tell_event(const storage::RepositoryEvent& event) const;
  void conclude_trouble(const hub::Trouble& trouble);
  void conclude_missing();
  bool others_are_found();

  hub::Client& hub_;
  storage::Store& store_;
  const CheckOptions& options_;
  storage::Time now_;
  const Progress& progress_;
  std::stop_token stop_;
};

}  // namespace modelwatch::watch
