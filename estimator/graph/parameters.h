#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "estimator/graph/model.h"

namespace modelwatch::estimator {

/// Scalars of a model. `derived` is what transformers' class registers as parameters; `buffers` and `mtp` (modules for
/// multi-token prediction) are beside it. A checkpoint may have all three.
struct Parameters {
  Count derived;
  Count buffers;      ///< persistent buffers: correction biases, position_ids
  Count mtp;          ///< parameters and persistent buffers of declared MTP modules
  Count active;       ///< a token meets: with top-k of the routed experts
  Count embedding;    ///< the input table
  std::map<std::string, Count> by_kind;  ///< "attention", "mlp", "moe", "norm", "embedding", "head", "vision", …; sums to derived
  Count tensors;      ///< how many `derived` is spread over
};
Parameters count_parameters(const Model& model);

std::string_view part_name(Part part);

}  // namespace modelwatch::estimator
