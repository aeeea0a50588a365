#include "daemon/watch/schedule.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace modelwatch::watch {

namespace {

using std::chrono::seconds;

constexpr seconds kDay{24 * 3600};
constexpr int kQuietShare = 20;
constexpr int kRefusalsUntilPause = 3;  // one broken repository must not stop the others
constexpr seconds kShortestPause{5}, kLongestPause{300};

/// The same input gives the same spread, in [-0.1, 0.1].
double spread(std::int64_t id, Time now) {
  std::uint64_t x = static_cast<std::uint64_t>(id) * 0x9e3779b97f4a7c15U ^
                    static_cast<std::uint64_t>(now.time_since_epoch().count());
  x ^= x >> 30, x *= 0xbf58476d1ce4e5b9U, x ^= x >> 27, x *= 0x94d049bb133111ebU, x ^= x >> 31;  // splitmix64
  return static_cast<double>(x % 2001) / 10000.0 - 0.1;
}

}  // namespace

Time next_check(const storage::Tracked& tracked, const Pace& pace, Time now) {
  seconds wait = pace.interval;
  if (tracked.access == "disabled" || tracked.access == "gone") {
    wait = kDay;
  } else if (tracked.misses == 0 && tracked.last_change) {
    const seconds quiet = now - *tracked.last_change;
    wait = std::clamp(quiet / kQuietShare, pace.interval, std::max(pace.interval, pace.longest));
  }
  const auto jitter = seconds(static_cast<std::int64_t>(static_cast<double>(wait.count()) * spread(tracked.id, now)));
  return now + std::max(wait + jitter, seconds{1});
}

bool is_short(const Budget& budget, Time now) {
  return now < budget.resets && budget.remaining * 5 < budget.limit;
}

void Schedule::replace(const std::vector<storage::Polled>& rows, Time now) {
  for (auto& [id, row] : rows_) row.tracked = false;
  for (const storage::Polled& polled : rows) {
    Row& row = rows_[polled.id];
    const bool is_new = row.entry.tracked == 0;
    row.entry = {polled.id, polled.name, polled.ref};
    row.tracked = true;
    if (row.running) continue;
    if (!is_new) queue_.erase({row.due, polled.id});
    row.due = polled.next_check.value_or(now);
    queue_.insert({row.due, polled.id});
  }
  for (auto at = rows_.begin(); at != rows_.end();) {
    if (at->second.tracked || at->second.running) {
      ++at;
      continue;
    }
    queue_.erase({at->second.due, at->first});
    at = rows_.erase(at);
  }
}

std::int64_t Schedule::allowed(Time now) const {
  if (now < paused_until_) return 0;
  if (!budget_ || now >= budget_->resets) return std::numeric_limits<std::int64_t>::max();
  return budget_->remaining - budget_->limit / 5;
}

std::vector<Schedule::Entry> Schedule::take(Time now, std::size_t slots) {
  std::vector<Entry> taken;
  std::int64_t left = allowed(now);
  while (taken.size() < slots && left > 0 && !queue_.empty() && queue_.begin()->first <= now) {
    Row& row = rows_.at(queue_.begin()->second);
    queue_.erase(queue_.begin());
    row.running = true;
    taken.push_back(row.entry);
    --left;
    if (budget_) --budget_->remaining;  // until the next answer tells better
  }
  return taken;
}

void Schedule::finished(const Ending& ending, Time now) {
  refusals_ = ending.refused ? refusals_ + 1 : 0;
  if (refusals_ >= kRefusalsUntilPause) {
    const int doublings = std::min(refusals_ - kRefusalsUntilPause, 10);
    paused_until_ = std::max(paused_until_, now + std::min(kShortestPause * (1 << doublings), kLongestPause));
  }
  if (ending.all_until) paused_until_ = std::max(paused_until_, *ending.all_until);

  const auto at = rows_.find(ending.tracked);
  if (at == rows_.end() || !at->second.running) return;
  if (!at->second.tracked) {
    rows_.erase(at);
    return;
  }
  at->second.running = false;
  at->second.due = ending.next;
  queue_.insert({ending.next, ending.tracked});
}

std::optional<Time> Schedule::next() const {
  if (queue_.empty()) return std::nullopt;
  Time at = std::max(queue_.begin()->first, paused_until_);
  if (budget_ && at < budget_->resets && allowed(at) <= 0) at = budget_->resets;
  return at;
}

}  // namespace modelwatch::watch
