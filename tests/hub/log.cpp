#include "tests/hub/log.h"

#include <fnmatch.h>

#include <algorithm>

namespace modelwatch::testhub {

bool LogFilter::matches(const LogEntry& entry) const {
  return entry.number > after && (method.empty() || method == entry.method) &&
         (!listener || *listener == entry.listener) && (!status || *status == entry.status) &&
         (path == "*" || ::fnmatch(path.c_str(), entry.path.c_str(), 0) == 0);
}

void RequestLog::add(LogEntry entry) {
  const std::lock_guard lock(mutex_);
  entry.number = ++last_;
  entries_.push_back(std::move(entry));
  if (entries_.size() > capacity_) entries_.pop_front();
  grown_.notify_all();
}

std::vector<LogEntry> RequestLog::entries(const LogFilter& filter) const {
  const std::lock_guard lock(mutex_);
  std::vector<LogEntry> list;
  std::copy_if(entries_.begin(), entries_.end(), std::back_inserter(list),
               [&](const LogEntry& entry) { return filter.matches(entry); });
  return list;
}

std::size_t RequestLog::count_locked(const LogFilter& filter) const {
  return static_cast<std::size_t>(std::count_if(
      entries_.begin(), entries_.end(), [&](const LogEntry& entry) { return filter.matches(entry); }));
}

std::size_t RequestLog::count(const LogFilter& filter) const {
  const std::lock_guard lock(mutex_);
  return count_locked(filter);
}

std::uint64_t RequestLog::last() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

void RequestLog::clear() {
  const std::lock_guard lock(mutex_);
  entries_.clear();
}

bool RequestLog::wait_for(const LogFilter& filter, std::size_t count,
                          std::chrono::milliseconds at_most) const {
  std::unique_lock lock(mutex_);
  return grown_.wait_for(lock, at_most, [&] { return count_locked(filter) >= count; });
}

}  // namespace modelwatch::testhub
