#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "advisories/diff/diff.h"
#include "advisories/pins/pin.h"
#include "estimator/json/value.h"

namespace modelwatch::cli {

/// One model of a lock file: which repository, told by its `_id`, at which commit, and what its parts mean.
struct LockedModel {
  std::string hub, repository, hub_id, revision;
  advisories::States parts;
};

/// `modelwatch/lock/1`, sorted by repository and revision, a model once.
json::Value lock_document(std::vector<LockedModel> models);

/// How a pin differs from the lock; empty where the lock has just this repository and commit. Only a full commit can
/// agree with a lock.
std::string differs_from_lock(const advisories::Pin& pin, const std::vector<advisories::Pin>& locked);

/// How a locked model differs from what was seen of that commit; empty where every digest agrees.
std::string differs_from_states(const advisories::Pin& locked, const advisories::States& seen);

}  // namespace modelwatch::cli
