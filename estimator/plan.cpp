#include "estimator/plan.h"

#include <algorithm>

#include "estimator/families/family.h"
#include "estimator/notes.h"

namespace modelwatch::estimator {
namespace {

constexpr std::int64_t kMostListed = 2'000'000;

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

/// What was asked for, else `usual` or the model's context where that is shorter.
std::int64_t length(const std::optional<std::int64_t>& asked, std::int64_t usual, Count context) {
  if (asked) return *asked;
  return context ? std::min(usual, context.value()) : usual;
}

Memory estimate_memory(const Plan& plan, const Model& model) {
  const PlanOptions& o = plan.options;
  return {TrainingModel(model, plan.parameters, o, Method::full).at(o.batch, plan.tokens),
          TrainingModel(model, plan.parameters, o, Method::lora).at(o.batch, plan.tokens), serving(model, plan.parameters, plan.serve_tokens)};
}

/// The last part of the source's path: what people call the model.
std::string short_name(const std::string& source) {
  std::string name = source.substr(source.find_last_of('/') + 1);
  if (name.ends_with(".json")) name.resize(name.size() - 5);
  return name.empty() || name == "config" ? "this model" : name;
}

std::optional<double> declared_aux_loss(const Config& text) {
  for (const char* key : {"router_aux_loss_coef", "aux_loss_alpha"})
    if (const json::Value* value = text.raw(key); value && value->real()) return value->real();
  return std::nullopt;
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
  if (options.list_tensors && p.tensors > Count(kMostListed))
    return fail(ErrorKind::usage, "--tensors: " + std::to_string(p.tensors.value()) + " tensors are too many to list",
                "without --tensors: patterns name them all");
  plan.tokens = length(options.tokens, 2048, model->context);
  plan.serve_tokens = length(options.serve_tokens, 4096, model->context);
  model->aux_loss = declared_aux_loss(root.text());
  plan.memory = estimate_memory(plan, *model);
  if (overflowed(*plan.memory)) return tl::unexpected(overflow(root));
  plan.fits = judge_cards(*model, p, options, plan.tokens, plan.serve_tokens, short_name(options.source));
  plan.price = price_run(*model, p, options, plan.tokens);
  plan.findings = verify(*model);
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
