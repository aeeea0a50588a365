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

 private:
  Result<const PinnedHistory*> history_of(const std::string& repository);
  Result<void> add_matches(PinVerdict& verdict);

  storage::Store& store_;
  std::string hub_;
  advisories::Impact below_;
  std::map<std::string, std::unique_ptr<PinnedHistory>> histories_;  ///< null where not tracked
};

}  // namespace modelwatch::cli
