#pragma once
#include <chrono>
#include <vector>

#include "daemon/hub/client.h"
#include "storage/records.h"

namespace modelwatch::watch {

/// What a look at a repository taught beside its commits: the row as it now is, and the events that say what changed.
struct Sighting {
  storage::Tracked tracked;
  std::vector<storage::RepositoryEvent> events;
};

/// The repository is there. Compares access (gated, private, disabled) and, where no commit carries it, licence and tags
/// with what was known; `refs`, where given, for tags that moved. Nothing known yet means no event. Pure.
Sighting seen(storage::Tracked before, const hub::RepositoryInfo& info, const std::vector<hub::Ref>* refs, storage::Time now);

/// The repository was not found: one more miss in a row.
storage::Tracked missed(storage::Tracked before, storage::Time now);
/// True where the misses are many and old enough that a positive control may settle it.
bool may_be_gone(const storage::Tracked& tracked, int misses, std::chrono::seconds after, storage::Time now);
/// It is gone, or private to others: the Hub does not say which to strangers.
Sighting gone(storage::Tracked before, storage::Time now);
/// The Hub has disabled it.
Sighting disabled(storage::Tracked before, storage::Time now);

/// "refs/heads/main" for "main"; for another short name what the refs seen last say, else a branch.
std::string full_ref(const storage::Tracked& tracked);

}  // namespace modelwatch::watch
