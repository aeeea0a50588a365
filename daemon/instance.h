#pragma once
#include <string>

#include "estimator/error.h"

namespace modelwatch {

/// Only one modelwatchd works on a database: a lock on FILE-daemon beside it, which the kernel gives back however the
/// process ends. (Not on the database itself: closing another descriptor of it would drop SQLite's own locks.)
class Instance {
 public:
  static Result<Instance> claim(const std::string& database);
  Instance(Instance&& other) noexcept;
  ~Instance();

 private:
  explicit Instance(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace modelwatch
