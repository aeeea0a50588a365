#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "estimator/graph/tensor.h"

namespace modelwatch::estimator {

/// Matrix [out, in] of an nn.Linear, as "name.weight", and its bias.
void add_linear(std::vector<Tensor>& to, std::string_view name, Count in, Count out, bool bias = false, Role role = Role::linear);
/// The same stored as [in, out]: gpt2's Conv1D.
void add_conv1d(std::vector<Tensor>& to, std::string_view name, Count in, Count out);
void add_tensor(std::vector<Tensor>& to, std::string name, Shape shape, Role role = Role::other);

/// "a.b", or what is not empty of the two.
std::string joined(std::string_view a, std::string_view b);

}  // namespace modelwatch::estimator
