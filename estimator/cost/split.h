#pragma once
#include <cstdint>
#include <optional>
#include <utility>

#include "estimator/graph/model.h"
#include "estimator/options.h"

namespace modelwatch::estimator {

/// Where to cut the rows of the structure table so that a full fine-tune at batch 1 fits on two cards of `bytes` each
/// (pipeline parallel): how many rows stand on the first and on the second, the second as few as can be. None where no cut
/// fits. Each side holds its parameters' state (16 bytes a scalar) or, if larger, weights, states, casts and activations.
std::optional<std::pair<std::int64_t, std::int64_t>> two_card_split(const Model& model, const PlanOptions& options, std::int64_t tokens,
                                                                    double bytes);

}  // namespace modelwatch::estimator
