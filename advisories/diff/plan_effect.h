#pragma once
#include <vector>

#include "advisories/diff/part_differ.h"

namespace modelwatch::advisories {

/// What the changes of the root's config.json do to the estimate: null where nothing that moves it changed, else
/// {before, after, moved, unknown}. A side that cannot be planned is null, and `unknown` says why.
json::Value plan_effect(const DiffInput& input, const std::vector<Change>& parts);

}  // namespace modelwatch::advisories
