#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "tests/hub/clock.h"
#include "tests/hub/wire/message.h"

namespace modelwatch::testhub {

/// One request as it arrived, and the status it got.
struct LogEntry {
  std::uint64_t number = 0;  ///< counts from 1 over the hub's life
  Clock::Time time;          ///< of the hub's clock
  Listener listener = Listener::hub;
  std::string method, target;  ///< byte for byte
  std::string path;            ///< decoded, without query
  Headers headers;             ///< as sent; the value of Authorization is not kept
  bool authorization = false;  ///< whether it was there
  std::string user;            ///< whose valid token it was
  int status = 0;              ///< 0: left hanging
};

/// Which entries; an empty field means any. `path` is a glob whose '*' crosses '/'.
struct LogFilter {
  std::string method = {};
  std::string path = "*";
  std::optional<Listener> listener = {};
  std::optional<int> status = {};
  std::uint64_t after = 0;  ///< entries with a larger number

  bool matches(const LogEntry& entry) const;
};

/// Every request of both hosts, in order. Thread-safe. The oldest of more than `capacity` entries are
/// dropped.
class RequestLog {
 public:
  explicit RequestLog(std::size_t capacity = 200'000) : capacity_(capacity) {}

  void add(LogEntry entry);
  std::vector<LogEntry> entries(const LogFilter& filter = {}) const;
  std::size_t count(const LogFilter& filter = {}) const;
  std::uint64_t last() const;  ///< number of the newest entry: a mark for LogFilter::after
  void clear();
  /// Waits until `count` entries match; false where that did not happen in time.
  bool wait_for(const LogFilter& filter, std::size_t count, std::chrono::milliseconds at_most) const;

 private:
  std::size_t count_locked(const LogFilter& filter) const;

  mutable std::mutex mutex_;
  mutable std::condition_variable grown_;
  std::deque<LogEntry> entries_;
  std::uint64_t last_ = 0;
  std::size_t capacity_;
};

}  // namespace modelwatch::testhub
