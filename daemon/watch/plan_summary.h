#pragma once
#include "advisories/manifest/snapshot.h"
#include "estimator/json/value.h"

namespace modelwatch::watch {

/// The figures of a revision's plan that people compare (docs/json.md, `plan.before`), from the config.json at its root,
/// with `tensors`, `checkpoint` and `delta` of the plan document where the weights' headers at its root were read; null
/// where there is no config.json, or it cannot be planned. Pure.
json::Value plan_summary(const advisories::Snapshot& snapshot);

/// True where both revisions have the same config.json and weights, so that one's summary is the other's.
bool same_plan_inputs(const advisories::Listing& a, const advisories::Listing& b);

}  // namespace modelwatch::watch
