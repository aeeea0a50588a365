#include "estimator/cost/price.h"

#include <algorithm>
#include <cmath>

namespace modelwatch::estimator {
namespace {

constexpr double kComputeEfficiency = 0.35, kBandwidthEfficiency = 0.80, kStepOverhead = 0.005, kStart = 60;

bool multiplied(Role role) { return role == Role::linear || role == Role::head || role == Role::router || role == Role::expert; }

const PricedCard& card_of_options(const PlanOptions& options) {
  for (const PricedCard& card : priced_cards())
    if (card.name == options.priced_card) return card;
  return priced_cards().front();
}

}  // namespace

double forward_flops(const Model& model, std::int64_t tokens) {
  double flops = 0;
  const double n = static_cast<double>(tokens);
  for (const Section& section : model.sections) {
    if (section.part != Part::text && section.part != Part::encoder) continue;
    for_each_node(section, [&](const Node& node, Count layers) {
      double matrices = 0;
      for (const Tensor& tensor : node.tensors)
        if (multiplied(tensor.role) && tensor.shape.rank() >= 2) matrices += tensor.active().real();
      const double reach = node.cache.window ? std::min(n, node.cache.window.real()) : n;
      const double products = node.attention_width.real() * reach * (model.causal ? 0.5 : 1.0);
      flops += 2 * n * layers.real() * (matrices + products);
    });
  }
  if (model.tied_head) flops += 2 * n * (model.hidden * model.vocabulary).real();
  return flops;
}

Price price_run(const Model& model, const Parameters& parameters, const PlanOptions& o, std::int64_t tokens) {
  const PricedCard& card = card_of_options(o);
  const TrainingModel training(model, parameters, o, Method::full);
  const Training run = training.at(o.cost_batch, tokens);
  Price price;
  price.card = card.name;
  price.flops_per_step = 3 * forward_flops(model, tokens) * static_cast<double>(o.cost_batch);
  price.bytes_per_step = 42 * parameters.derived.real() + 2 * run.forward.activations.real();
  const double compute = price.flops_per_step / (card.tflops * 1e12 * kComputeEfficiency);
  const double memory = price.bytes_per_step / (card.gb_per_s * 1e9 * kBandwidthEfficiency);
  price.compute_bound = compute >= memory;
  const double steps = std::ceil(static_cast<double>(o.samples) / static_cast<double>(o.cost_batch)) * static_cast<double>(o.epochs);
  const double seconds = kStart + steps * (kStepOverhead + std::max(compute, memory));
  price.hours = seconds / 3600;
  price.usd = price.hours * card.usd_per_hour;
  price.fits = run.peak().real() * kHeadroom <= card.gb * 1e9;
  return price;
}

}  // namespace modelwatch::estimator
