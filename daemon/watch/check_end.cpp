// How a check ends: what trouble means for the repository's row, and what the caller is told.
#include <algorithm>

#include "daemon/watch/check.h"
#include "daemon/watch/schedule.h"

namespace modelwatch::watch {

namespace {

using Outcome = CheckReport::Outcome;
using hub::Trouble;

constexpr std::chrono::seconds kDefaultWait{60};  // after 429 without a word on when

}  // namespace

void Check::conclude(const Ended& why) {
  if (std::holds_alternative<Busy>(why)) {
    report.outcome = Outcome::busy;
    report.message = "another process is checking it";
  } else if (const Error* error = std::get_if<Error>(&why)) {
    report.outcome = Outcome::failed;
    report.kind = error->kind;
    report.message = error->message;
  } else {
    conclude_trouble(std::get<Trouble>(why));
  }
}

void Check::conclude_trouble(const Trouble& trouble) {
  report.outcome = Outcome::failed;
  report.message = trouble.message;
  if (!trouble.request_id.empty()) report.message += " (request " + trouble.request_id + ")";
  report.retry_at = trouble.retry_at;
  Step<void> written;
  switch (trouble.kind) {
    case Trouble::Kind::missing: conclude_missing(); return;
    case Trouble::Kind::gated: report.outcome = Outcome::gated; break;
    case Trouble::Kind::disabled:
      written = witness(disabled(row, now_));
      report.outcome = Outcome::disabled;
      break;
    case Trouble::Kind::rate_limited:
      report.outcome = Outcome::rate_limited;
      if (!report.retry_at) report.retry_at = now_ + kDefaultWait;
      break;
    case Trouble::Kind::interrupted: report.outcome = Outcome::interrupted; break;
    case Trouble::Kind::no_revision:
      report.message = "the repository has no " + row.ref + ", or the Hub does not show it yet";
      break;
    case Trouble::Kind::no_entry:
    case Trouble::Kind::refused:
    case Trouble::Kind::malformed:
    case Trouble::Kind::offline: break;
  }
  if (!written) conclude(written.error());
}

/// A missing answer alone proves nothing: a token may have run out, a mirror may be ill. It counts as gone after enough
/// misses over enough time, and only while others are found.
void Check::conclude_missing() {
  const storage::Tracked last = row;
  row = missed(row, now_);
  report.outcome = row.access == "gone" ? Outcome::gone : Outcome::missing;
  report.message = "not found, or private to others";
  if (last.hub_id.empty() || !may_be_gone(row, options_.misses_until_gone, options_.gone_after, now_)) return;
  if (!others_are_found()) return;
  if (auto written = witness(gone(row, now_)); !written) return conclude(written.error());
  report.outcome = Outcome::gone;
}

/// The positive control: another repository of the same kind of access that was found last time, else the public list.
bool Check::others_are_found() {
  const auto others = store_.tracked();
  if (others) {
    const auto control = std::find_if(others->begin(), others->end(), [&](const storage::Tracked& other) {
      return other.id != row.id && other.polled && other.misses == 0 && other.last_check && !other.head.empty() &&
             (other.access == "private") == (row.access == "private");
    });
    if (control != others->end()) return hub_.head(control->name, control->ref, stop_).has_value();
  }
  const auto listed = hub_.list("", "", 1, stop_);
  return listed && !listed->repositories.empty();
}

CheckReport Check::leave() {
  const bool untouched = report.outcome == Outcome::busy || report.outcome == Outcome::interrupted;
  if (!untouched) {
    row.last_check = now_;
    row.last_error = report.message;
    row.next_check = next_check(row, options_.pace, now_);
    if (report.retry_at) row.next_check = std::max(*report.retry_at, now_ + std::chrono::seconds{1});
    if (const auto written = store_.update(row); !written && report.outcome != Outcome::failed) conclude(written.error());
  }
  report.tracked = row;
  return std::move(report);
}

}  // namespace modelwatch::watch
