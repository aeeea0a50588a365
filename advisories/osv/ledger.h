#pragma once
#include <functional>

#include "advisories/osv/advisory.h"

namespace modelwatch::advisories {

/// A revision that is being processed against its predecessor on a tracked ref.
struct Step {
  std::string sha;
  std::string previous;                  ///< sha of the predecessor; empty for a baseline
  std::string ref = "refs/heads/main";
  Time committed{};                      ///< upstream's date: the year of the id, shown, never used for order
  bool rewritten = false;                ///< the predecessor is not an ancestor: force-push, super-squash
};

/// An earlier revision of the repository that had a state now seen again.
struct EarlierState {
  std::string revision;
};

struct LedgerInput {
  RepositoryIdentity repository;
  Step step;
  const Diff* diff = nullptr;            ///< null for a baseline
  const Snapshot* before = nullptr;      ///< for digests of touched files; null for a baseline
  const Snapshot* after = nullptr;
  States states_before, states_after;
  std::vector<Advisory> open;            ///< those of this repository that carry the predecessor's states on this ref
  std::function<std::optional<EarlierState>(Part, const std::string& state)> earlier;
  Impact minimum = Impact::unknown;      ///< a change below gets no advisory; `unknown` always gets one
  Time now{};                            ///< the feed's clock for this transaction (strictly increasing)
};

/// What one step does to the feed: new advisories first, then changed ones (closed, extended, related both ways),
/// each with `modified` = now. A baseline writes nothing. Pure.
std::vector<Advisory> advance(const LedgerInput& input, const FeedIdentity& feed);

}  // namespace modelwatch::advisories
