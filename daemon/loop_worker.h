#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "daemon/config.h"
#include "daemon/watch/check_repo.h"

namespace modelwatch {

/// One check to do.
struct Job {
  watch::Schedule::Entry entry;
  std::shared_ptr<const Config> config;
  std::stop_token drain;  ///< asks to end after the present revision
  std::stop_token stop;   ///< cuts
};

struct JobDone {
  watch::Schedule::Entry entry;
  watch::CheckReport report;
  std::optional<hub::Quota> resolvers;  ///< of the bucket of the cheap poll
};

/// One thread with its own Hub client and Store, which never leave it.
class Worker {
 public:
  explicit Worker(std::string database);
  ~Worker();  ///< waits for the job at hand

  /// `done` is called on the worker's thread.
  void post(Job job, std::function<void(JobDone)> done);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace modelwatch
