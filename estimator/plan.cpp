#include "estimator/plan.h"

#include "estimator/families/family.h"
#include "estimator/notes.h"

namespace modelwatch::estimator {
namespace {

ModelFacts read_facts(const Config& root, const PlanOptions& options) {
  ModelFacts facts;
  facts.source = options.source;
  facts.model_type = root.type();
  facts.notes = notes_of(root);
  if (const json::Value* list = root.raw("architectures"); list && list->array())
    for (const json::Value& name : *list->array())
      if (name.string()) facts.architectures.push_back(*name.string());
  return facts;
}

Note unknown_family(const ModelFacts& facts) {
  if (facts.model_type.empty())
    return {"unknown-family", "The configuration has no model_type, so that nothing says how its sizes are to be read."};
  return {"unknown-family", "No family reads model_type \"" + facts.model_type + "\": no number is given rather than a guess."};
}

Error overflow(const Config& root) {
  return {ErrorKind::bad_input, root.largest_key() + ": makes sizes that do not fit into 64 bits", {}};
}

Memory estimate_memory(const Model& model, const Parameters& parameters, const PlanOptions& o) {
  return {TrainingModel(model, parameters, o, Method::full).at(o.batch, o.tokens),
          TrainingModel(model, parameters, o, Method::lora).at(o.batch, o.tokens), serving(model, parameters, o.serve_tokens)};
}

bool overflowed(const Memory& m) {
  for (const Training* t : {&m.full, &m.lora})
    for (const Components* c : {&t->forward, &t->backward, &t->optimizer})
      if (c->total().overflowed()) return true;
  for (std::size_t i = 0; i < kEngines.size(); ++i)
    if (m.serve.kv[i].overflowed() || m.serve.state[i].overflowed()) return true;
  return m.serve.weights.overflowed();
}

}  // namespace

Result<Plan> plan(const json::Value& config, const PlanOptions& options) {
  if (auto checked = check(options); !checked) return tl::unexpected(checked.error());
  const Config root(config);
  if (root.problem()) return tl::unexpected(*root.problem());
  Plan plan;
  plan.options = options;
  plan.facts = read_facts(root, options);
  const Family* family = find_family(root.type());
  if (!family) {
    plan.facts.notes.push_back(unknown_family(plan.facts));
    return plan;
  }
  plan.facts.family = family->name;
  auto model = std::make_shared<Model>(family->build(root));
  if (root.problem()) return tl::unexpected(*root.problem());
  if (model->unknown) {
    plan.facts.notes.push_back({"unknown-family", *model->unknown});
    return plan;
  }
  plan.parameters = count_parameters(*model);
  const Parameters& p = plan.parameters;
  for (const Count total : {p.derived, p.buffers, p.mtp, p.active, p.tensors})
    if (total.overflowed()) return tl::unexpected(overflow(root));
  plan.memory = estimate_memory(*model, p, options);
  if (overflowed(*plan.memory)) return tl::unexpected(overflow(root));
  plan.facts.known = true;
  plan.facts.notes.insert(plan.facts.notes.end(), model->notes.begin(), model->notes.end());
  plan.model = std::move(model);
  if (options.hub_total) plan.checkpoint = explain_total(*plan.model, *options.hub_total);
  return plan;
}

void add_headers(Plan& plan, const std::vector<StoredTensor>& stored) {
  if (!plan.model) return;
  plan.checkpoint = reconcile(*plan.model, stored);
  plan.memory->serve.weights_stored = plan.checkpoint->stored_bytes;
}

}  // namespace modelwatch::estimator
