#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "advisories/diff/diff.h"

namespace modelwatch::advisories {

/// What contradicts itself inside one revision: files that disagree, values no loader can use. Gravest first. Findings
/// have the rule's id, the file and, in `evidence`, the pointers; `pointer` is left out, for nothing there changed.
/// Pure and bounded; what is not at hand is not judged.
std::vector<Finding> lint(const Snapshot& snapshot);

/// Faults of `after` that `before` did not have, by rule, path and sentence.
std::vector<Finding> new_faults(const Snapshot& before, const Snapshot& after);

/// One rule, for the generated documentation.
struct LintRule {
  std::string_view id;
  Impact impact;
  std::string_view when;
  std::string_view advice;
};
std::span<const LintRule> lint_rules();

/// The `modelwatch/lint/1` document.
json::Value lint_json(const std::vector<Finding>& findings);

}  // namespace modelwatch::advisories
