#pragma once
#include <map>
#include <memory>
#include <string>

#include "daemon/cli/pin_verdict.h"
#include "storage/store.h"

namespace modelwatch::cli {

/// Judges pins by a database; a repository is read once however often it is pinned.
class PinJudge {
 public:
  /// `hub` is the hub whose repositories the database has (config hub.identity).
  PinJudge(storage::Store& store, std::string hub, advisories::Impact below);

  Result<PinVerdict> operator()(const std::string& file, const advisories::Pin& pin);
  /// What each part of a revision meant when it was seen; not_found where it was not.
  Result<advisories::States> states(const std::string& repository, const std::string& revision);
  /// Null where the repository is not tracked.
  Result<const PinnedHistory*> history_of(const std::string& repository);
  const std::string& hub() const { return hub_; }

 private:
  Result<void> add_matches(PinVerdict& verdict);

  storage::Store& store_;
  std::string hub_;
  advisories::Impact below_;
  std::map<std::string, std::unique_ptr<PinnedHistory>> histories_;  ///< null where not tracked
};

}  // namespace modelwatch::cli
