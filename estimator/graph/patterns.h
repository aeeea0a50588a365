#pragma once
#include <functional>
#include <string>
#include <vector>

#include "estimator/graph/model.h"

namespace modelwatch::estimator {

/// Tensors of one shape, by one name: "model.layers.{0..47}.mlp.experts.{0..127}.gate_proj.weight".
struct TensorPattern {
  std::string name;
  Shape shape;
  Count count;
};
std::vector<TensorPattern> tensor_patterns(const Model& model);

enum class TensorSet { parameters, buffers, mtp };

/// Visits every tensor by its full name, layer by layer. How many there are is known beforehand (Parameters::tensors):
/// a caller that keeps them asks first.
void for_each_name(const Model& model, TensorSet set, const std::function<void(std::string name, const Tensor& tensor)>& visit);

}  // namespace modelwatch::estimator
