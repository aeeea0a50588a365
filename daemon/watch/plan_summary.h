#pragma once
#include "advisories/manifest/snapshot.h"
#include "estimator/json/value.h"

namespace modelwatch::watch {

/// The figures of a revision's plan that people compare (docs/json.md, `plan.before`), from the config.json at its root;
/// null where there is none, or it cannot be planned. Pure.
json::Value plan_summary(const advisories::Snapshot& snapshot);

}  // namespace modelwatch::watch
