#pragma once
#include <string>
#include <string_view>

#include "estimator/json/value.h"
#include "tests/hub/world.h"

namespace modelwatch::testhub {

// Words of scenarios and of the control port, as values. Each throws std::invalid_argument on another word.

Gate read_gate(const json::Value& value);  ///< false, "auto", "manual"
Access read_access(const std::string& word);
Plan read_plan(const std::string& word);
Bucket read_bucket(const std::string& word);
Listener read_listener(const std::string& word);

/// The sha of a revision, where "~n" at its end means n commits before: "main~2".
std::string revision_named(const Repository& repository, const std::string& revision);
std::string replaced(std::string text, std::string_view what, std::int64_t by);

}  // namespace modelwatch::testhub
