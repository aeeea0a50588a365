#include "estimator/blocks/linear.h"

namespace modelwatch::estimator {

void add_tensor(std::vector<Tensor>& to, std::string name, Shape shape, Role role) {
  Tensor& tensor = to.emplace_back();
  tensor.name = std::move(name);
  tensor.shape = shape;
  tensor.role = role;
}

void add_linear(std::vector<Tensor>& to, std::string_view name, Count in, Count out, bool bias, Role role) {
  add_tensor(to, joined(name, "weight"), {out, in}, role);
  if (bias) add_tensor(to, joined(name, "bias"), {out}, Role::bias);
}

void add_conv1d(std::vector<Tensor>& to, std::string_view name, Count in, Count out) {
  add_tensor(to, joined(name, "weight"), {in, out}, Role::linear);
  to.back().transposed = true;
  add_tensor(to, joined(name, "bias"), {out}, Role::bias);
}

std::string joined(std::string_view a, std::string_view b) {
  std::string name(a);
  if (!a.empty() && !b.empty()) name += '.';
  name += b;
  return name;
}

}  // namespace modelwatch::estimator
