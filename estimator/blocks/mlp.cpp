#include "estimator/blocks/mlp.h"

#include "estimator/blocks/linear.h"

namespace modelwatch::estimator {
namespace {

/// Bytes a scalar of the inner width that an ungated activation keeps: its input, what it computes on the way in bf16
/// where it is composed of single operations, and its output, which the next matrix reads.
Count plain_activation_bytes(const std::string& activation) {
  if (activation == "gelu_new" || activation == "gelu_fast") return 10;
  return 4;
}

std::string mlp_label(const Mlp& m) {
  if (!m.gated) return "MLP";
  return m.activation.find("gelu") != std::string::npos ? "GeGLU" : "SwiGLU";
}

/// gate, silu(gate), up and their product, each 2 bytes; the product is what the down matrix reads.
Saved mlp_saved(const Mlp& m) {
  const Count kept = (m.gated ? Count(8) : plain_activation_bytes(m.activation)) * m.inner;
  return {kept, kept, kept, 2 * kept};
}

void add_apart(std::vector<Tensor>& to, const Moe& m, const std::string& name, Count out, Count in) {
  add_tensor(to, joined(joined(m.name, m.experts), "{}." + name + ".weight"), {out, in}, Role::expert);
  to.back().copies = m.count;
}

void add_fused(std::vector<Tensor>& to, const Moe& m, const std::string& name, Count out, Count in) {
  const bool transposed = m.layout == Experts::fused_transposed;
  const std::string full = joined(joined(m.name, m.experts), name);
  add_tensor(to, full, transposed ? Shape{m.count, in, out} : Shape{m.count, out, in}, Role::expert);
  if (m.expert_bias) add_tensor(to, full + "_bias", {m.count, out}, Role::expert);
}

void add_experts(Node& node, const Moe& m) {
  const Count width = m.expert_width ? m.expert_width : m.hidden;
  const std::size_t first = node.tensors.size();
  if (m.layout == Experts::apart) {
    if (m.gated) add_apart(node.tensors, m, m.gate, m.inner, width);
    add_apart(node.tensors, m, m.up, m.inner, width);
    add_apart(node.tensors, m, m.down, width, m.inner);
  } else {
    add_fused(node.tensors, m, m.gated ? "gate_up_proj" : "up_proj", m.gated ? 2 * m.inner : m.inner, width);
    add_fused(node.tensors, m, "down_proj", width, m.inner);
  }
  for (std::size_t i = first; i < node.tensors.size(); ++i) {
    node.tensors[i].experts = m.count;
    node.tensors[i].experts_active = min(m.active, m.count);
  }
  node.largest_parameter = m.count * (m.gated ? Count(2) : Count(1)) * m.inner * width;
}

}  // namespace

Count input_readers(const Mlp& m) { return m.gated && m.fused.empty() ? 2 : 1; }

Node mlp_node(const Mlp& m) {
  Node node;
  node.kind = NodeKind::ffn;
  node.row = "FFN_{}";
  node.label = mlp_label(m);
  node.width = m.hidden;
  node.inner = m.inner;
  const auto add = [&](const std::string& name, Count in, Count out, bool bias) {
    if (m.conv1d) {
      add_conv1d(node.tensors, joined(m.name, name), in, out);
    } else {
      add_linear(node.tensors, joined(m.name, name), in, out, bias);
    }
  };
  if (!m.fused.empty()) {
    add(m.fused, m.hidden, 2 * m.inner, m.up_bias);
  } else {
    if (m.gated) add(m.gate, m.hidden, m.inner, m.up_bias);
    add(m.up, m.hidden, m.inner, m.up_bias);
  }
  add(m.down, m.inner, m.hidden, m.down_bias);
  node.saved = mlp_saved(m);
  return node;
}

Node moe_node(const Moe& m) {
  Node node;
  node.kind = NodeKind::moe;
  node.row = "MoE_{}";
  node.label = m.shared ? "Shared-Expert MoE" : "MoE Layer";
  node.width = m.hidden;
  add_linear(node.tensors, joined(m.name, m.router), m.hidden, m.count, m.router_bias, Role::router);
  if (!m.correction.empty()) {
    add_tensor(node.buffers, joined(m.name, m.correction), {m.count});
    node.balanced = true;
  }
  add_experts(node, m);
  const Count width = m.expert_width ? m.expert_width : m.hidden;
  node.saved = {m.active * (16 * m.inner + 8 * width) + 2 * m.hidden + 4 * m.count,
                m.active * (8 * m.inner + 4 * width) + 2 * m.hidden + 4 * m.count,
                m.active * (8 * m.inner + 4 * width) + 4 * m.count,
                m.active * (16 * m.inner + 8 * width) + 4 * m.count};
  if (m.shared) {
    Mlp shared = *m.shared;
    shared.name = joined(m.name, shared.name);
    Node inside = mlp_node(shared);
    node.tensors.insert(node.tensors.end(), inside.tensors.begin(), inside.tensors.end());
    node.saved += inside.saved;
    const Count casts = input_readers(shared) * 2 * m.hidden;
    node.saved += Saved{casts, casts, 0, 0};
  }
  if (!m.shared_gate.empty()) add_linear(node.tensors, joined(m.name, m.shared_gate), m.hidden, 1, false);
  return node;
}

}  // namespace modelwatch::estimator
