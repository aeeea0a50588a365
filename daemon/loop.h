#pragma once
#include <functional>
#include <memory>
#include <string>

#include "daemon/config.h"
#include "estimator/error.h"

namespace modelwatch {

/// The daemon at work. The calling thread runs the event loop: the schedule's timer, signals, the watchdog and HTTP;
/// each worker is a thread of its own with its own Hub client and Store, and runs check_repo.
///
/// TERM and INT drain: no new check begins, running ones end after their present revision, five seconds later they are
/// cut; a second signal cuts at once. HUP calls `reload`.
class Loop {
 public:
  Loop(Config config, std::string database, std::function<Result<Config>()> reload);
  ~Loop();

  /// Returns when a signal has ended it, or why it could not start.
  Result<void> run();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace modelwatch
