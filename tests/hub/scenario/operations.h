#pragma once
#include <filesystem>

#include "estimator/json/value.h"
#include "tests/hub/world.h"

namespace modelwatch::testhub {

/// Does one operation: a table whose verb (`push`, `rename`, `fault`, …) names what is done to whom and whose
/// other keys say how; README.md lists them all. The scenario reader and the control port share it. Returns
/// what came of it ({"sha": …}, {"number": …}, or {}). Throws std::invalid_argument naming what is wrong;
/// then nothing was done.
json::Value do_operation(World& world, const json::Value& operation, const std::filesystem::path& folder);

}  // namespace modelwatch::testhub
