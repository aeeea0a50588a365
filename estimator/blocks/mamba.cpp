#include "estimator/blocks/mamba.h"

#include "estimator/blocks/linear.h"
#include "estimator/blocks/norm.h"

namespace modelwatch::estimator {
namespace {

Node mixer_node(std::string row, std::string label, Count hidden) {
  Node node;
  node.kind = NodeKind::mixer;
  node.row = std::move(row);
  node.label = std::move(label);
  node.width = hidden;
  return node;
}

void add_convolution(Node& node, const std::string& name, Count channels, Count kernel, bool bias) {
  add_tensor(node.tensors, joined(name, "weight"), {channels, 1, kernel});
  if (bias) add_tensor(node.tensors, joined(name, "bias"), {channels}, Role::bias);
  node.cache.conv_channels = channels;
  node.cache.conv_kernel = kernel;
}

}  // namespace

Node mamba_node(const Mamba& m) {
  Node node = mixer_node("Mamba_{}", "Mamba", m.hidden);
  const auto in = [&](std::string_view name) { return joined(m.name, name); };
  add_tensor(node.tensors, in("A_log"), {m.inner, m.state});
  add_tensor(node.tensors, in("D"), {m.inner});
  add_convolution(node, in("conv1d"), m.inner, m.kernel, m.conv_bias);
  add_linear(node.tensors, in("in_proj"), m.hidden, 2 * m.inner, m.bias);
  add_linear(node.tensors, in("x_proj"), m.inner, m.rank + 2 * m.state);
  add_linear(node.tensors, in("dt_proj"), m.rank, m.inner, true);
  add_linear(node.tensors, in("out_proj"), m.inner, m.hidden, m.bias);
  const Count kept = 16 * m.inner + 4 * (m.rank + 2 * m.state);
  node.saved = {kept, kept, kept, 2 * kept};
  node.cache.state = m.inner * m.state;
  return node;
}

Node mamba2_node(const Mamba2& m) {
  Node node = mixer_node("Mamba_{}", "Mamba2", m.hidden);
  const auto in = [&](std::string_view name) { return joined(m.name, name); };
  const Count mixed = m.inner + 2 * m.groups * m.state;
  for (const char* name : {"dt_bias", "A_log", "D"}) add_tensor(node.tensors, in(name), {m.heads});
  add_convolution(node, in("conv1d"), mixed, m.kernel, m.conv_bias);
  add_linear(node.tensors, in("in_proj"), m.hidden, m.inner + mixed + m.heads, m.bias);
  if (m.norm) add_norm(node.tensors, in("norm"), m.inner, NormStyle::rms);
  add_linear(node.tensors, in("out_proj"), m.inner, m.hidden, m.bias);
  const Count kept = 2 * (m.inner + mixed + m.heads) + 4 * mixed + 14 * m.inner;
  node.saved = {kept, kept, kept, 2 * kept};
  node.cache.state = m.inner * m.state;
  return node;
}

Node short_conv_node(const ShortConv& c) {
  Node node = mixer_node("Conv_{}", "Short Convolution", c.hidden);
  add_convolution(node, joined(c.name, "conv"), c.hidden, c.kernel, c.bias);
  add_linear(node.tensors, joined(c.name, "in_proj"), c.hidden, 3 * c.hidden, c.bias);
  add_linear(node.tensors, joined(c.name, "out_proj"), c.hidden, c.hidden, c.bias);
  const Count kept = 12 * c.hidden;  // B, C, x, their product, the convolution's output and the gated one, 2 bytes each
  node.saved = {kept, kept, kept, 2 * kept};
  return node;
}

}  // namespace modelwatch::estimator
