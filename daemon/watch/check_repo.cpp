#include "daemon/watch/check_repo.h"

#include <utility>

#include "advisories/diff/diff.h"
#include "advisories/osv/ledger.h"
#include "daemon/watch/check.h"
#include "daemon/watch/fetch.h"
#include "daemon/watch/lease.h"
#include "daemon/watch/plan_summary.h"

namespace modelwatch::watch {

namespace {

using Outcome = CheckReport::Outcome;

/// Everything from the ref's head to the last transaction. It ends early, with why, wherever the Hub or the database
/// does not answer; what was committed before stays and the next check goes on from there.
Step<void> follow(Check& check, Lease& lease) {
  // Head: while nothing moves this one HEAD request is all.
  if (!check.wants_closer_look()) {
    const auto moved = check.head_moved();
    if (!moved || !*moved) return moved.map([](bool) {});
  }

  // Who holds the name, and what no commit carries: a rename, a takeover, gating, tags that moved.
  auto info = check.look_closer();
  if (!info) return ended(info);

  // Commits since the known head, oldest first; at first sight a window of the past, whose first is the baseline.
  auto walk = check.new_commits(*info);
  if (!walk) return ended(walk);
  auto before = check.standing(check.row.head);
  if (!before) return ended(before);

  bool first = true;
  std::optional<json::Value> plan;  // of the revision before
  for (const hub::Commit& commit : walk->revisions) {
    if (auto ready = check.may_go_on(lease); !ready) return ready;
    const Position at = check.position(*walk, std::exchange(first, false));
    check.tell("revision", check.report.revisions, static_cast<int>(walk->revisions.size()));

    // Listing, files, snapshot: only identities that are not stored are fetched, at the sha, never at a branch.
    auto after = check.read(commit.sha, lease);
    if (!after) return ended(after);

    // Changes: what differs by meaning, and the digests of what each part now means.
    std::optional<advisories::Diff> diff;
    if (!at.previous.empty()) diff = advisories::diff(before->snapshot, after->snapshot);
    const advisories::States states = diff ? advisories::states_after(before->snapshot, before->states, after->snapshot)
                                           : advisories::states(after->snapshot);

    // Plan, advisories, and all of it into the database in one transaction.
    storage::RevisionRecord record = check.record(at, commit, std::move(after->files));
    if (!plan || !same_plan_inputs(before->snapshot.listing, after->snapshot.listing)) plan = plan_summary(after->snapshot);
    record.plan = *plan;
    record.states = states;
    record.diff = diff;
    auto input = check.ledger_input(at, commit);
    if (!input) return ended(input);
    input->diff = diff ? &*diff : nullptr;
    input->before = diff ? &before->snapshot : nullptr;
    input->after = &after->snapshot;
    input->states_before = before->states;
    input->states_after = states;
    if (auto committed = check.commit(record, std::move(*input)); !committed) return committed;

    // The next one is compared with what is stored now; the bytes in memory are let go.
    before = check.standing(commit.sha);
    if (!before) return ended(before);
  }
  return {};
}

}  // namespace

std::string_view name(Outcome outcome) {
  switch (outcome) {
    case Outcome::unchanged: return "unchanged";
    case Outcome::updated: return "updated";
    case Outcome::baseline: return "baseline";
    case Outcome::missing: return "missing";
    case Outcome::gone: return "gone";
    case Outcome::gated: return "gated";
    case Outcome::disabled: return "disabled";
    case Outcome::rate_limited: return "rate-limited";
    case Outcome::failed: return "failed";
    case Outcome::busy: return "busy";
    case Outcome::interrupted: return "interrupted";
  }
  return "";
}

CheckReport check_repo(const storage::Tracked& tracked, hub::Client& hub, storage::Store& store, const CheckOptions& options,
                       storage::Time now, const Progress& progress, std::stop_token stop) {
  Check check(tracked, hub, store, options, now, progress, std::move(stop));
  Lease lease(store, tracked.id, options.holder, now);
  Step<void> result = check.take(lease);
  if (result) result = follow(check, lease);
  if (!result) check.conclude(result.error());
  return check.leave();
}

}  // namespace modelwatch::watch
