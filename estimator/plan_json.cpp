#include <cmath>

#include "estimator/graph/forward.h"
#include "estimator/graph/patterns.h"
#include "estimator/graph/rows.h"
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
  object.append("conservative", static_cast<std::int64_t>(std::llround(t.peak().real() * kHeadroom)));
  return object;
}

Object by_engine(const std::array<Count, 3>& counts) {
  Object object;
  for (std::size_t i = 0; i < kEngines.size(); ++i) object.append(std::string(engine_name(kEngines[i])), number(counts[i]));
  return object;
}

Object contexts_json(const Plan& plan) {
  Object contexts;
  for (const CardFit& fit : plan.fits->cards) contexts.append(fit.card.name, fit.longest_context);
  return contexts;
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
                                 {"state_per_sequence", by_engine(s.state)},
                                 {"longest_context", contexts_json(plan)}}}};
}

Value nodes_json(const Plan& plan) {
  if (!plan.model) return nullptr;
  const std::vector<Row> table = structure_rows(*plan.model);
  Array rows;
  for (const Row& row : table) rows.emplace_back(Array{Value(row.name), Value(row.label), Value(row.shape)});
  const auto fault = forward_fault(*plan.model);
  return Object{{"tokens", plan.model->context ? number(plan.model->context) : Value(2048)},
                {"layers", layer_count(table)},
                {"rows", std::move(rows)},
                {"forward", Object{{"ok", !fault.has_value()}, {"why", fault ? Value(*fault) : Value()}}}};
}

Value cards_json(const Plan& plan) {
  if (!plan.fits) return nullptr;
  Array cards;
  for (const CardFit& fit : plan.fits->cards) {
    Object full{{"batch", fit.full}, {"borderline", fit.full_borderline}};
    if (fit.two_cards) full.append("two_cards", Array{Value(fit.two_cards->first), Value(fit.two_cards->second)});
    cards.emplace_back(Object{{"name", fit.card.name},
                              {"gb", fit.card.gb},
                              {"full", std::move(full)},
                              {"lora", Object{{"batch", fit.lora}, {"borderline", fit.lora_borderline}}},
                              {"serve", Object{{"batch", fit.serve}}}});
  }
  return cards;
}

Value sharded_json(const Plan& plan) {
  if (!plan.fits) return nullptr;
  Object full, lora, serve;
  for (const Sharded& s : plan.fits->sharded) {
    full.append(s.card, s.full);
    lora.append(s.card, s.lora);
    serve.append(s.card, s.serve);
  }
  return Object{{"full", std::move(full)}, {"lora", std::move(lora)}, {"serve", std::move(serve)}};
}

Value cost_json(const Plan& plan) {
  if (!plan.price) return nullptr;
  const Price& p = *plan.price;
  return Object{{"card", p.card},
                {"usd", p.usd},
                {"hours", p.hours},
                {"bound", p.compute_bound ? "compute" : "memory"},
                {"flops_per_step", p.flops_per_step},
                {"bytes_per_step", p.bytes_per_step},
                {"fits", p.fits}};
}

Value verifier_json(const Plan& plan) {
  if (!plan.model) return nullptr;
  Array findings;
  for (const Finding& f : plan.findings) {
    Array nodes;
    for (const std::string& node : f.nodes) nodes.emplace_back(node);
    findings.emplace_back(
        Object{{"severity", severity_name(f.severity)}, {"rule", f.rule}, {"nodes", std::move(nodes)}, {"text", f.text}, {"fix", f.fix}});
  }
  return findings;
}

Object assumptions_json(const Plan& plan) {
  const PlanOptions& o = plan.options;
  return Object{{"batch", o.batch},
                {"tokens", plan.model ? Value(plan.tokens) : Value(o.tokens)},
                {"serve_tokens", plan.model ? Value(plan.serve_tokens) : Value(o.serve_tokens)},
                {"attention", "sdpa, no score matrix kept"},
                {"gradients", "freed between steps"},
                {"lora_targets", o.adapt_experts ? "every linear but the head, routed experts too" : "every linear but the head and routed experts"},
                {"lora_base", o.qlora ? "nf4, double quantised" : "bf16"},
                {"towers", "held, not run: the batch is text"},
                {"serve_weights", "16 bit"},
                {"serve_cache", "transformers, 16 bit"},
                {"headroom", kHeadroom},
                {"borderline", kBorderline},
                {"shards", o.shards},
                {"stage", o.shards > 1 ? Value(o.stage) : Value()},
                {"fused_loss", o.fused_loss},
                {"epochs", o.epochs},
                {"samples", o.samples},
                {"cost_batch", o.cost_batch},
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
                {"nodes", nodes_json(plan)},
                {"memory", memory_json(plan)},
                {"cards", cards_json(plan)},
                {"sharded", sharded_json(plan)},
                {"headline", plan.fits ? Value(plan.fits->headline) : Value()},
                {"cost", cost_json(plan)},
                {"verifier", verifier_json(plan)},
                {"assumptions", assumptions_json(plan)}};
}

}  // namespace modelwatch::estimator
