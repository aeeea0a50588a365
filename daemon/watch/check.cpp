#include "daemon/watch/check.h"

#include <limits>

#include "daemon/watch/sighting.h"

namespace modelwatch::watch {

namespace {
using Outcome = CheckReport::Outcome;
using hub::Trouble;
}  // namespace

Check::Check(storage::Tracked tracked, hub::Client& hub, storage::Store& store, const CheckOptions& options, storage::Time now,
             const Progress& progress, std::stop_token stop)
    : row(std::move(tracked)), hub_(hub), store_(store), options_(options), now_(now), progress_(progress), stop_(std::move(stop)) {}

Step<void> Check::take(Lease& lease) {
  const auto held = lease.hold();
  if (!held) return tl::unexpected<Ended>(held.error());
  if (!*held) return tl::unexpected<Ended>(Busy{});
  return {};
}

bool Check::full_read_due() const {
  return options_.full_read || !row.last_full_read || now_ - *row.last_full_read >= options_.full_read_every;
}

bool Check::wants_closer_look() const {
  return row.hub_id.empty() || row.head.empty() || row.access == "gone" || row.access == "disabled" || full_read_due();
}

Step<bool> Check::head_moved() {
  auto head = hub_.head(row.name, row.ref, stop_);
  if (!head) return ended(head);
  row.misses = 0;
  row.first_miss.reset();
  return head->sha != row.head || !head->renamed_to.empty();
}

Step<hub::RepositoryInfo> Check::look_closer() {
  const bool full = full_read_due();
  auto info = hub_.info(row.name, row.ref, stop_);
  if (!info) return ended(info);
  if (auto identified = identify(*info); !identified) return ended(identified);

  std::optional<std::vector<hub::Ref>> refs;
  if (full) {
    auto listed = hub_.refs(row.name, stop_);
    // A gate may hide the refs, and mirrors may not have them: then tags are not followed.
    if (listed) refs = std::move(*listed);
    else if (listed.error().kind != Trouble::Kind::gated && listed.error().kind != Trouble::Kind::missing) return ended(listed);
  }
  Sighting sighting = seen(row, *info, refs ? &*refs : nullptr, now_);
  if (full) sighting.tracked.last_full_read = now_;
  if (auto witnessed = witness(std::move(sighting)); !witnessed) return ended(witnessed);
  if (info->disabled) return tl::unexpected<Ended>(Trouble{Trouble::Kind::disabled, "disabled by the Hub", {}, {}});
  return std::move(*info);
}

/// Binds the row to the `_id` behind the name; the Store follows a rename and sets a former holder aside.
Step<void> Check::identify(const hub::RepositoryInfo& info) {
  if (row.hub_id == info.hub_id && row.name == info.name) return {};
  const storage::Tracked former = row;
  auto identified = store_.identify(row.id, info.hub_id, info.name, now_);
  if (!identified) return ended(identified);
  row = std::move(*identified);
  if (former.hub_id.empty()) return {};
  report.outcome = Outcome::updated;
  if (former.hub_id != row.hub_id) {
    tell_event({"taken-over", now_, {}, advisories::Impact::security, "The name " + row.name + " belonged to another repository before"});
  } else {
    tell_event({"renamed", now_, {}, advisories::Impact::cosmetic, former.name + " is now " + row.name});
  }
  return {};
}

/// Writes what a look taught, where it is news.
Step<void> Check::witness(Sighting sighting) {
  row = std::move(sighting.tracked);
  if (sighting.events.empty()) return {};
  if (auto written = store_.commit(row, sighting.events); !written) return ended(written);
  report.outcome = Outcome::updated;
  for (const storage::RepositoryEvent& event : sighting.events) tell_event(event);
  return {};
}

Step<Walk> Check::new_commits(const hub::RepositoryInfo& info) {
  if (info.sha.empty() || info.sha == row.head) return Walk{};
  const int limit = !row.head.empty() || !row.history.revisions ? std::numeric_limits<int>::max() : *row.history.revisions + 1;
  auto list = hub_.commits(row.name, info.sha, row.head, limit, stop_);
  if (!list && list.error().kind == Trouble::Kind::gated) {
    // The head and its listing are open, the history is not.
    Walk head_only;
    head_only.revisions = {hub::Commit{info.sha, "", {}, now_}};
    head_only.ancestry_unknown = !row.head.empty();
    return head_only;
  }
  if (!list) return ended(list);
  std::optional<Error> failed;
  Walk found = walk(std::move(*list), row.head, [&](const std::string& sha) {
    const auto stored = store_.has_revision(row.repository, sha);
    if (!stored) failed = stored.error();
    return stored && *stored;
  });
  if (failed) return tl::unexpected<Ended>(std::move(*failed));
  return found;
}

}  // namespace modelwatch::watch
