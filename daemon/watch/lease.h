#pragma once
#include <chrono>
#include <cstdint>
#include <string>

#include "estimator/error.h"
#include "storage/store.h"

namespace modelwatch::watch {

/// The right to check one (repository, ref), held in the database for two minutes at a time so that a killed process
/// does not hold it for good. Given back when destroyed.
class Lease {
 public:
  /// `now` is the time of the check; how long the check has gone on since is taken from the steady clock.
  Lease(storage::Store& store, std::int64_t tracked, std::string holder, storage::Time now);
  ~Lease();
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  /// Takes it, or makes it last longer where it is half over. False where another holds it.
  Result<bool> hold();

 private:
  storage::Store& store_;
  std::int64_t tracked_;
  std::string holder_;
  storage::Time now_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  storage::Time until_{};  ///< epoch: not held
};

}  // namespace modelwatch::watch
