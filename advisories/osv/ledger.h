#pragma once
#include <functional>

#include "advisories/osv/advisory.h"

namespace modelwatch::advisories {

/// A revision that is being processed against its predecessor on a tracked ref.
struct Step {
  std::string sha;
  std::string previous;                  ///< the ref's head until now; empty for a baseline
  std::string ref = "refs/heads/main";
  Time committed{};                      ///< upstream's date: the year of the id, shown, never used for order
  bool rewritten = false;                ///< `previous` is no ancestor of `sha`: force-push, super-squash
  /// The newest revision processed before that is `sha` or an ancestor of it, where that is not `previous`: the last
  /// common commit of a force-push; `sha` itself where it was known already (from another ref, or a force-push back).
  /// Empty where none is known, as after a super-squash.
  std::string base;
};

/// An earlier revision of the repository that had a state now seen again.
struct EarlierState {
  std::string revision;
};

struct LedgerInput {
  RepositoryIdentity repository;
  Step step;
  const Diff* diff = nullptr;            ///< previous → sha; null for a baseline
  const Snapshot* before = nullptr;      ///< for digests of touched files; null for a baseline
  const Snapshot* after = nullptr;
  States states_before, states_after;
  std::vector<Advisory> open;            ///< those of this repository that list `step.previous` in their versions
  std::vector<Advisory> at_base;         ///< those that list `step.base`; empty where there is none
  States states_base;                    ///< of `step.base`
  /// An earlier revision (not `step.previous`) with this state of the part. May be empty.
  std::function<std::optional<EarlierState>(Part, const std::string& state)> earlier;
  /// Whether an advisory with this id is published; a new one then takes 16 digits. May be empty.
  std::function<bool(const std::string& id)> taken;
  Impact minimum = Impact::unknown;      ///< a change below gets no advisory; `unknown` always gets one
  Time now{};                            ///< the feed's clock for this transaction (strictly increasing)
};

/// What one step does to the feed: new advisories first, then changed ones (closed, extended, related both ways),
/// each with `modified` = now. A baseline writes nothing. Pure.
///
/// - The diff decides: a part with a change above cosmetic leaves its state, any other keeps it. The open advisory of a
///   part that keeps its state gets the sha into `versions`; that of a part that leaves it is closed, whether or not
///   the change is grave enough for an advisory of its own.
/// - A revision matches at most one advisory of a part, the one that explains its present state. Where `minimum` is
///   cosmetic, a cosmetic advisory stands beside that one and ends at the next change of any kind.
/// - A return to an earlier state is a revert: it closes as "reverted", and its own advisory says what it equals.
/// - A rewritten history closes as "rewritten" what its first commit does not have, keeps what it has, marks both, and
///   gets an advisory of part `repository` (kind "history-rewritten") unless it went back to a known revision.
std::vector<Advisory> advance(const LedgerInput& input, const FeedIdentity& feed);

/// The name answers with another `_id`: an advisory from the newcomer's first seen revision on, to be published with it.
struct Takeover {
  RepositoryIdentity newcomer;
  Step first;                            ///< the newcomer's baseline
  std::string former_hub_id;
  std::string former_head;               ///< last seen sha under this name; empty where none was seen
  Time now{};
};
Advisory taken_over(const Takeover& takeover, const FeedIdentity& feed);

/// Every advisory of a repository after it got another name: the same ranges under the new one as well. Those that
/// already have it are left out of the answer.
std::vector<Advisory> renamed(std::vector<Advisory> advisories, std::string_view new_name, Time now);

/// A record that was never right (false detection, duplicate). It stays readable for good and matches nothing.
Advisory withdrawn(Advisory advisory, std::string_view reason, Time now);

}  // namespace modelwatch::advisories
