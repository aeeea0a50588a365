#include "estimator/blocks/attention.h"

#include "estimator/blocks/linear.h"

namespace modelwatch::estimator {
namespace {

std::string sharing_label(Count heads, Count kv_heads) {
  if (kv_heads == heads) return "Multi-Head Attention";
  return kv_heads == Count(1) ? "Multi-Query Attention" : "Grouped Query Attn";
}

void add_qk_norms(Node& node, const Attention& a) {
  if (a.qk_norm == QkNorm::none) return;
  const auto add = [&](const std::string& name, Count heads) {
    const std::string full = joined(a.name, name);
    if (a.qk_norm == QkNorm::each) {
      add_tensor(node.tensors, joined(full, "weight"), {heads, a.head_dim}, Role::norm);
    } else {
      add_norm(node.tensors, full, a.qk_norm == QkNorm::head ? a.head_dim : heads * a.head_dim, a.qk_style);
    }
    node.saved += norm_saved(a.qk_style, Stream::branch, heads * a.head_dim, 0);
    const Count statistics = a.qk_norm == QkNorm::full ? Count(0) : 4 * (heads - 1);
    node.saved += Saved{statistics, statistics, statistics, statistics};
  };
  add(a.q_norm, a.heads);
  if (!a.shared_kv) add(a.k_norm, a.kv_heads);
}

void add_projections(Node& node, const Attention& a, Count q_width, Count k_width, Count v_width) {
  const auto add = [&](const std::string& name, Count in, Count out, bool bias) {
    if (a.conv1d) {
      add_conv1d(node.tensors, joined(a.name, name), in, out);
    } else {
      add_linear(node.tensors, joined(a.name, name), in, out, bias);
    }
  };
  if (!a.fused.empty()) {
    add(a.fused, a.hidden, q_width + k_width + v_width, a.q_bias);
    return;
  }
  add(a.q, a.hidden, q_width, a.q_bias);
  if (a.shared_kv) return;
  add(a.k, a.hidden, k_width, a.k_bias);
  if (!a.keys_are_values) add(a.v, a.hidden, v_width, a.v_bias);
}

}  // namespace

Count input_readers(const Attention& a) {
  const Count gates = a.gate_proj.empty() ? 0 : 1;
  if (!a.fused.empty() || a.shared_kv) return 1 + gates;
  return (a.keys_are_values ? Count(2) : Count(3)) + gates;
}

Node attention_node(const Attention& a) {
  const Count value_dim = a.value_dim ? a.value_dim : a.head_dim;
  const Count q = a.heads * a.head_dim, k = a.kv_heads * a.head_dim, v = a.kv_heads * value_dim, out = a.heads * value_dim;
  Node node;
  node.kind = NodeKind::attention;
  node.row = "Attention_{}";
  node.label = sharing_label(a.heads, a.kv_heads);
  node.width = a.out ? a.out : a.hidden;
  node.heads = a.heads;
  node.kv_heads = a.kv_heads;
  node.rotary = a.rotary;
  node.attention_width = a.heads * (a.head_dim + value_dim);

  if (!a.gate_proj.empty()) add_linear(node.tensors, joined(a.name, a.gate_proj), a.hidden, a.gate_width);
  if (a.sinks) add_tensor(node.tensors, joined(a.name, "sinks"), {a.heads});
  add_projections(node, a, a.gate ? 2 * q : q, k, v);
  if (a.conv1d) {
    add_conv1d(node.tensors, joined(a.name, a.o), out, node.width);
  } else {
    add_linear(node.tensors, joined(a.name, a.o), out, node.width, a.o_bias);
  }
  add_qk_norms(node, a);

  // q, k, v and the output in bf16, the log-sum-exp in fp32; an adapter on o keeps one more cast of its input.
  const Count copy = a.concatenated ? 2 * out : Count(0);
  const Count gate = a.gate || !a.gate_proj.empty() ? 4 * out : Count(0);
  const Count kept = 2 * (q + k + v) + 2 * out + 4 * a.heads + copy + gate;
  node.saved += Saved{kept, kept + 2 * out - copy, kept, 2 * kept - 4 * a.heads};

  if (!a.shared_kv) node.cache.kv = k + (a.keys_are_values ? k : v);
  node.cache.window = a.window;
  return node;
}

Node latent_attention_node(const LatentAttention& a) {
  const Count q = a.heads * (a.nope + a.rope), v = a.heads * a.value;
  Node node;
  node.kind = NodeKind::attention;
  node.row = "Attention_{}";
  node.label = "Multi-Head Latent Attention";
  node.width = a.hidden;
  node.heads = node.kv_heads = a.heads;
  node.rotary = true;
  node.attention_width = q + v;

  const auto add = [&](std::string_view name, Count in, Count out, bool bias) {
    add_linear(node.tensors, joined(a.name, name), in, out, bias);
  };
  if (a.q_rank) {
    add("q_a_proj", a.hidden, a.q_rank, a.bias);
    add_norm(node.tensors, joined(a.name, a.q_norm), a.q_rank, a.style);
    node.saved += norm_saved(a.style, Stream::branch, a.q_rank, 1);
    add("q_b_proj", a.q_rank, q, false);
  } else {
    add("q_proj", a.hidden, q, false);
  }
  add("kv_a_proj_with_mqa", a.hidden, a.kv_rank + a.rope, a.bias);
  add_norm(node.tensors, joined(a.name, a.kv_norm), a.kv_rank, a.style);
  node.saved += norm_saved(a.style, Stream::branch, a.kv_rank, 1);
  add("kv_b_proj", a.kv_rank, a.heads * (a.nope + a.value), false);
  add("o_proj", v, a.hidden, a.bias);

  const Count kept = 2 * (2 * q + v) + 4 * v + 4 * a.heads;
  node.saved += Saved{kept, kept, kept, 2 * kept};
  node.cache.kv = a.kv_rank + a.rope;
  return node;
}

}  // namespace modelwatch::estimator
