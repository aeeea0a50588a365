#pragma once
#include <string>

#include "estimator/cost/cards.h"

namespace modelwatch::estimator {

/// One full fine-tune on a priced card, by a roofline: step = 0.005 s + max(FLOPs / (0.35 × peak), bytes / (0.80 ×
/// bandwidth)), 60 s to start. FLOPs: three forward passes of every matrix product of the active path (2·m·n·k) and both
/// products of causal attention, no elementwise work. Bytes: the weights' casts, gradients and optimizer states, and the
/// saved activations written and read.
struct Price {
  std::string card;
  double usd = 0, hours = 0, flops_per_step = 0, bytes_per_step = 0;
  bool compute_bound = true;
  bool fits = false;  ///< whether the batch of the run fits the card
};
Price price_run(const Model& model, const Parameters& parameters, const PlanOptions& options, std::int64_t tokens);

/// FLOPs of a forward pass of `tokens` tokens in one sequence.
double forward_flops(const Model& model, std::int64_t tokens);

}  // namespace modelwatch::estimator
