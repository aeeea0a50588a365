#include "advisories/diff/plan_effect.h"

#include <algorithm>

#include "estimator/plan.h"

namespace modelwatch::advisories {
namespace {

constexpr std::string_view kConfig = "config.json";

struct Side {
  estimator::Plan plan;
  std::string unknown;  ///< why there is no plan; empty where there is one
};

Side plan_of(const JsonFile& file) {
  Side side;
  if (file.state == JsonFile::State::absent) {
    side.unknown = "there is no config.json";
  } else if (file.state != JsonFile::State::parsed) {
    side.unknown = "config.json: " + file.trouble();
  } else if (auto plan = estimator::plan(file.document.value)) {
    side.plan = std::move(*plan);
    if (!side.plan.facts.known) side.unknown = "no family reads model type \"" + side.plan.facts.model_type + "\"";
  } else {
    side.unknown = plan.error().message;
  }
  return side;
}

}  // namespace

json::Value plan_effect(const DiffInput& input, const std::vector<Change>& parts) {
  const bool touched = std::any_of(parts.begin(), parts.end(), [](const Change& change) {
    return std::any_of(change.findings.begin(), change.findings.end(),
                       [](const Finding& finding) { return finding.path == kConfig && finding.impact > Impact::cosmetic; });
  });
  if (!touched) return nullptr;
  const Side before = plan_of(input.documents_before.at(kConfig)), after = plan_of(input.documents_after.at(kConfig));
  estimator::PlanDelta delta = estimator::plan_delta(before.plan, after.plan);
  std::string unknown;
  if (!before.unknown.empty()) unknown = "before: " + before.unknown;
  if (!after.unknown.empty()) unknown += (unknown.empty() ? "after: " : "; after: ") + after.unknown;
  if (unknown.empty() && delta.moved.empty()) return nullptr;
  json::Array moved(delta.moved.begin(), delta.moved.end());
  return json::Object{{"before", std::move(delta.before)},
                      {"after", std::move(delta.after)},
                      {"moved", std::move(moved)},
                      {"unknown", unknown.empty() ? json::Value() : json::Value(unknown)}};
}

}  // namespace modelwatch::advisories
