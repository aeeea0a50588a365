#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "estimator/graph/model.h"

namespace modelwatch::estimator {

enum class Severity { block, warn, info };
std::string_view severity_name(Severity severity);

struct Finding {
  Severity severity = Severity::info;
  std::string rule;
  std::vector<std::string> nodes;
  std::string text;
  std::string fix;
};

/// A rule of the verifier: what it looks for, and when it speaks. Documented in docs/estimator.md.
struct Rule {
  std::string_view id;
  Severity severity;
  void (*check)(const struct Inspection& inspection, std::vector<Finding>& findings);
};
std::span<const Rule> verifier_rules();

/// Findings of every rule, blocks first, in the order of the rules.
std::vector<Finding> verify(const Model& model);

}  // namespace modelwatch::estimator
