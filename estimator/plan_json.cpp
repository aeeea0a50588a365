#include "estimator/graph/patterns.h"
#include "estimator/plan.h"

namespace modelwatch::estimator {
namespace {

using json::Array;
using json::Object;
using json::Value;

Value number(Count count) { return Value(count.value()); }

Array sizes(const Shape& shape) {
  Array array;
  for (const Count size : shape) array.emplace_back(size.value());
  return array;
}

Object facts_json(const ModelFacts& facts) {
  Array architectures, notes;
  for (const std::string& name : facts.architectures) architectures.emplace_back(name);
  for (const Note& note : facts.notes) notes.emplace_back(Object{{"id", note.id}, {"text", note.text}});
  return Object{{"source", facts.source},
                {"model_type", facts.model_type.empty() ? Value() : Value(facts.model_type)},
                {"architectures", std::move(architectures)},
                {"family", facts.family.empty() ? Value() : Value(facts.family)},
                {"known", facts.known},
                {"notes", std::move(notes)}};
}

Value checkpoint_json(const Plan& plan) {
  if (!plan.checkpoint) return nullptr;
  return Object{{"scalars", plan.checkpoint->checkpoint}, {"source", plan.checkpoint->source}, {"read", nullptr}};
}

Array leftovers_json(const std::vector<Leftover>& leftovers) {
  Array rows;
  for (const Leftover& l : leftovers)
    rows.emplace_back(Object{{"pattern", l.pattern}, {"tensors", l.tensors}, {"scalars", l.scalars}});
  return rows;
}

/// scalars and percent are derived − checkpoint: negative where the file has more.
Value delta_json(const Plan& plan) {
  if (!plan.checkpoint) return nullptr;
  const Reconciliation& r = *plan.checkpoint;
  Array explained;
  for (const Explanation& e : r.explained)
    explained.emplace_back(Object{{"class", e.cls}, {"tensors", e.tensors}, {"scalars", e.scalars}, {"text", e.text}});
  const double percent = r.checkpoint ? 100.0 * static_cast<double>(r.delta) / static_cast<double>(r.checkpoint) : 0.0;
  return Object{{"scalars", r.delta},
                {"percent", percent},
                {"explained", std::move(explained)},
                {"unexplained", r.unexplained},
                {"guess", r.guess},
                {"matched", r.matched},
                {"only_stored", leftovers_json(r.only_stored)},
                {"only_derived", leftovers_json(r.only_derived)}};
}

Object parameters_json(const Plan& plan) {
  const Parameters& p = plan.parameters;
  const auto known = [&](Count count) { return plan.model ? number(count) : Value(); };
  Object kinds;
  for (const auto& [kind, scalars] : p.by_kind) kinds.append(kind, number(scalars));
  return Object{{"derived", known(p.derived)},
                {"buffers", known(p.buffers)},
                {"mtp", known(p.mtp)},
                {"active", known(p.active)},
                {"embedding", known(p.embedding)},
                {"by_kind", plan.model ? Value(std::move(kinds)) : Value()},
                {"checkpoint", checkpoint_json(plan)},
                {"delta", delta_json(plan)}};
}

Array list(const Model& model, TensorSet set) {
  Array rows;
  for_each_name(model, set, [&](std::string name, const Tensor& tensor) {
    rows.emplace_back(Array{Value(std::move(name)), Value(sizes(tensor.shape))});
  });
  return rows;
}

Object tensors_json(const Plan& plan) {
  if (!plan.model) return Object{{"count", nullptr}, {"patterns", nullptr}};
  Array patterns, tied;
  for (TensorPattern& pattern : tensor_patterns(*plan.model))
    patterns.emplace_back(
        Object{{"name", std::move(pattern.name)}, {"shape", sizes(pattern.shape)}, {"count", number(pattern.count)}});
  for (const auto& [name, to] : plan.model->tied) tied.emplace_back(Object{{"name", name}, {"to", to}});
  Object tensors{{"count", number(plan.parameters.tensors)}, {"patterns", std::move(patterns)}, {"tied", std::move(tied)}};
  if (plan.options.list_tensors) {
    tensors.append("list", list(*plan.model, TensorSet::parameters));
    tensors.append("buffers", list(*plan.model, TensorSet::buffers));
    tensors.append("mtp", list(*plan.model, TensorSet::mtp));
  }
  return tensors;
}

Object components_json(const Components& c) {
  return Object{{"weights", number(c.weights)},         {"gradients", number(c.gradients)},
                {"optimizer", number(c.optimizer)},     {"cast_weights", number(c.cast_weights)},
                {"activations", number(c.activations)}, {"loss", number(c.loss)},
                {"temporary", number(c.temporary)},     {"overhead", number(c.overhead)}};
}

Object training_json(const Training& t) {
  Object object;
  if (t.method == Method::lora) {
    object.append("rank", t.rank);
    object.append("adapter_parameters", number(t.adapter_parameters));
  }
  object.append("batch", t.batch);
  object.append("tokens", t.tokens);
  object.append("peak", number(t.peak()));
  object.append("phase", phase_name(t.phase));
  object.append("phases", Object{{"forward", number(t.forward.total())},
                                 {"backward", number(t.backward.total())},
                                 {"optimizer", number(t.optimizer.total())}});
  object.append("components", components_json(t.at_peak()));
  return object;
}

Object by_engine(const std::array<Count, 3>& counts) {
  Object object;
  for (std::size_t i = 0; i < kEngines.size(); ++i) object.append(std::string(engine_name(kEngines[i])), number(counts[i]));
  return object;
}

Value memory_json(const Plan& plan) {
  if (!plan.memory) return nullptr;
  const Serving& s = plan.memory->serve;
  return Object{{"full", training_json(plan.memory->full)},
                {"lora", training_json(plan.memory->lora)},
                {"serve", Object{{"tokens", s.tokens},
                                 {"weights", number(s.weights)},
                                 {"weights_stored", s.weights_stored ? number(*s.weights_stored) : Value()},
                                 {"kv_per_token", by_engine(s.kv_per_token)},
                                 {"kv", by_engine(s.kv)},
                                 {"state_per_sequence", by_engine(s.state)}}}};
}

Object assumptions_json(const PlanOptions& o) {
  return Object{{"batch", o.batch},
                {"tokens", o.tokens},
                {"serve_tokens", o.serve_tokens},
                {"rank", o.rank},
                {"optimizer", optimizer_name(o.optimizer)},
                {"precision", precision_name(o.precision)},
                {"checkpointing", o.checkpointing}};
}

}  // namespace

Value to_json(const Plan& plan) {
  return Object{{"schema", "modelwatch/plan/1"},
                {"model", facts_json(plan.facts)},
                {"parameters", parameters_json(plan)},
                {"tensors", tensors_json(plan)},
                {"nodes", nullptr},
                {"memory", memory_json(plan)},
                {"cards", nullptr},
                {"sharded", nullptr},
                {"headline", nullptr},
                {"cost", nullptr},
                {"verifier", nullptr},
                {"assumptions", assumptions_json(plan.options)}};
}

}  // namespace modelwatch::estimator
