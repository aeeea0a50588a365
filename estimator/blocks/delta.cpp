#include "estimator/blocks/delta.h"

#include "estimator/blocks/linear.h"

namespace modelwatch::estimator {

Node gated_delta_node(const GatedDelta& g) {
  const Count keys = g.key_heads * g.key_dim, values = g.value_heads * g.value_dim, mixed = 2 * keys + values;
  Node node;
  node.kind = NodeKind::mixer;
  node.row = "DeltaNet_{}";
  node.label = "Gated DeltaNet";
  node.width = g.hidden;
  const auto in = [&](std::string_view name, Count width) { add_linear(node.tensors, joined(g.name, name), g.hidden, width); };
  add_tensor(node.tensors, joined(g.name, "dt_bias"), {g.value_heads});
  add_tensor(node.tensors, joined(g.name, "A_log"), {g.value_heads});
  add_tensor(node.tensors, joined(g.name, "conv1d.weight"), {mixed, 1, g.kernel});
  if (g.fused) {
    in("in_proj_qkvz", mixed + values);
    in("in_proj_ba", 2 * g.value_heads);
  } else {
    in("in_proj_qkv", mixed);
    in("in_proj_z", values);
    in("in_proj_b", g.value_heads);
    in("in_proj_a", g.value_heads);
  }
  add_norm(node.tensors, joined(g.name, "norm"), g.value_dim, NormStyle::rms);
  add_linear(node.tensors, joined(g.name, "out_proj"), values, g.hidden);

  // In bf16: the convolution's input and output, q and k repeated to the value heads, v, the gate z, the output before
  // and after its gated norm; in fp32 the decay and beta. Chunk states of the fused kernel come on top.
  const Count kept = 4 * mixed + 2 * (2 * g.value_heads * g.key_dim + values) + 2 * values + 10 * values + 16 * g.value_heads;
  node.saved = {kept, kept, kept, 2 * kept};
  node.cache.state = g.value_heads * g.key_dim * g.value_dim;
  node.cache.conv_channels = mixed;
  node.cache.conv_kernel = g.kernel;
  return node;
}

}  // namespace modelwatch::estimator
