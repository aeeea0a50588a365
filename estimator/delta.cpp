#include "estimator/plan.h"

namespace modelwatch::estimator {
namespace {

/// The figures of a plan that people compare.
json::Value figures(const Plan& plan) {
  if (!plan.model) return nullptr;
  const Serving& s = plan.memory->serve;
  json::Object kv;
  for (std::size_t i = 0; i < kEngines.size(); ++i)
    kv.append(std::string(engine_name(kEngines[i])), s.kv_per_token[i].value());
  return json::Object{{"family", plan.facts.family},
                      {"derived", plan.parameters.derived.value()},
                      {"active", plan.parameters.active.value()},
                      {"buffers", plan.parameters.buffers.value()},
                      {"mtp", plan.parameters.mtp.value()},
                      {"context", plan.model->context ? json::Value(plan.model->context.value()) : json::Value()},
                      {"kv_per_token", std::move(kv)},
                      {"state_per_sequence", s.state[0].value()},
                      {"weights_bytes", s.weights.value()},
                      {"full_peak", plan.memory->full.peak().value()},
                      {"lora_peak", plan.memory->lora.peak().value()}};
}

struct Figure {
  std::string_view key;
  std::string_view name;
};
constexpr Figure kFigures[] = {{"family", "family"},
                               {"derived", "parameters"},
                               {"active", "active"},
                               {"buffers", "buffers"},
                               {"mtp", "mtp"},
                               {"context", "context"},
                               {"kv_per_token", "kv_per_token"},
                               {"state_per_sequence", "state_per_sequence"},
                               {"weights_bytes", "weights_bytes"},
                               {"full_peak", "full_peak"},
                               {"lora_peak", "lora_peak"}};

}  // namespace

PlanDelta plan_delta(const Plan& before, const Plan& after) {
  PlanDelta delta{figures(before), figures(after), {}};
  if (before.model.get() == nullptr && after.model.get() == nullptr) return delta;
  for (const Figure& figure : kFigures) {
    const json::Value* a = delta.before.find(figure.key);
    const json::Value* b = delta.after.find(figure.key);
    if (!a || !b || !(*a == *b)) delta.moved.emplace_back(figure.name);
  }
  return delta;
}

}  // namespace modelwatch::estimator
