#include "estimator/blocks/decoder.h"
#include "estimator/blocks/layer_types.h"
#include "estimator/blocks/linear.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// Attention of one shared key-value head over a sliding window, with compressed keys beside it: a compressor in every
/// layer whose compress ratio is not 0 (rate 128, or rate 4 with an indexer). The residual is hc_mult streams mixed by
/// hyper-connections; the output matrix is grouped and of low rank; the first layers route by a hash of the token.
struct Sizes {
  Count hidden, heads, head_dim, q_rank, o_groups, o_rank, index_heads, index_dim, streams, window;
};

Sizes sizes_of(const Config& c) {
  return {c.size("hidden_size"), c.size("num_attention_heads"), c.size("head_dim"), c.size("q_lora_rank"), c.size("o_groups"),
          c.size("o_lora_rank"), c.size("index_n_heads"), c.size("index_head_dim"), c.size("hc_mult"), c.count("sliding_window", 0)};
}

void add_compressor(Node& node, const Sizes& s, const std::string& name, Count rate, Count width, Count norm) {
  add_tensor(node.tensors, joined(name, "position_bias"), {rate, width});
  add_linear(node.tensors, joined(name, "kv_proj"), s.hidden, width);
  add_linear(node.tensors, joined(name, "gate_proj"), s.hidden, width);
  add_norm(node.tensors, joined(name, "kv_norm"), norm, NormStyle::rms);
}

Node attention_of(const Sizes& s, const std::string& kind, Count rate) {
  Node node;
  node.kind = NodeKind::attention;
  node.row = "Attention_{}";
  node.label = kind == "sliding_attention" ? "Multi-Query Attention" : "Compressed Sparse Attention";
  node.width = s.hidden;
  node.heads = s.heads;
  node.kv_heads = 1;
  node.rotary = true;
  node.attention_width = 2 * s.heads * s.head_dim;
  const std::string name = "self_attn";
  const auto in = [&](std::string_view part) { return joined(name, part); };
  add_tensor(node.tensors, in("sinks"), {s.heads});
  add_linear(node.tensors, in("q_a_proj"), s.hidden, s.q_rank);
  add_norm(node.tensors, in("q_a_norm"), s.q_rank, NormStyle::rms);
  add_linear(node.tensors, in("q_b_proj"), s.q_rank, s.heads * s.head_dim);
  add_linear(node.tensors, in("kv_proj"), s.hidden, s.head_dim);
  add_norm(node.tensors, in("kv_norm"), s.head_dim, NormStyle::rms);
  add_linear(node.tensors, in("o_a_proj"), s.heads * s.head_dim / s.o_groups, s.o_groups * s.o_rank);
  add_linear(node.tensors, in("o_b_proj"), s.o_groups * s.o_rank, s.hidden);
  if (kind == "heavily_compressed_attention") add_compressor(node, s, in("compressor"), rate, s.head_dim, s.head_dim);
  if (kind == "compressed_sparse_attention") {
    add_compressor(node, s, in("compressor"), rate, 2 * s.head_dim, s.head_dim);
    add_compressor(node, s, in("compressor.indexer"), rate, 2 * s.index_dim, s.index_dim);
    add_linear(node.tensors, in("compressor.indexer.q_b_proj"), s.q_rank, s.index_heads * s.index_dim);
    add_linear(node.tensors, in("compressor.indexer.scorer.weights_proj"), s.hidden, s.index_heads);
  }
  const Count q = s.heads * s.head_dim;
  const Count kept = 6 * s.q_rank + 4 * q + 4 * s.head_dim + 4 * q + 4 * s.heads;
  node.saved = {kept, kept, kept, 2 * kept};
  node.cache.kv = s.head_dim;
  node.cache.window = s.window;
  return node;
}

/// 2·m + m² mixing weights from m streams of D, with bases and three scales.
void add_hyper_connection(std::vector<Tensor>& to, const std::string& name, const Sizes& s) {
  const Count mixes = (2 + s.streams) * s.streams;
  add_tensor(to, joined(name, "fn"), {mixes, s.streams * s.hidden});
  add_tensor(to, joined(name, "base"), {mixes});
  add_tensor(to, joined(name, "scale"), {3});
}

std::string type_of_ratio(Count ratio) {
  if (!ratio) return "sliding_attention";
  return ratio == Count(4) ? "compressed_sparse_attention" : "heavily_compressed_attention";
}

Model build(const Config& root) {
  LlamaLike p = llama_like_without_mlp(root);
  const Sizes s = sizes_of(root);
  p.shell.rotary_width = root.count("qk_rope_head_dim", s.head_dim / 8);
  Moe moe{.layout = Experts::apart, .hidden = s.hidden, .inner = root.size("moe_intermediate_size"), .count = root.size("n_routed_experts"),
          .active = root.size("num_experts_per_tok")};
  if (const Count shared = root.count("n_shared_experts", 1); shared) {
    moe.shared = Mlp{.name = "shared_experts", .hidden = s.hidden, .inner = moe.inner};
    moe.shared->bias(root.flag("mlp_bias"));
  }
  const std::vector<Count> ratios = root.counts("compress_ratios");
  const LayerTypes types(root, p.shell.depth, [&](std::int64_t i) -> std::string {
    if (!ratios.empty()) return type_of_ratio(ratios[std::min(static_cast<std::size_t>(i), ratios.size() - 1)]);
    return i >= 2 && (i - 2) % 2 ? "compressed_sparse_attention" : "heavily_compressed_attention";
  });
  const std::int64_t hashed = root.count("num_hash_layers", 3).value();
  const LayerTypes ffn(root, p.shell.depth, [&](std::int64_t i) { return i < hashed ? "hash_moe" : "moe"; }, "mlp_layer_types");
  const auto rate = [&](const std::string& kind) -> Count {
    const json::Value* rates = root.raw("compress_rates");
    if (const json::Value* own = rates ? rates->find(kind) : nullptr; own && own->integer() && *own->integer() > 0) return *own->integer();
    return kind == "compressed_sparse_attention" ? root.size("compress_rate_csa", 4) : root.size("compress_rate_hca", 128);
  };
  const auto kind_of = [&](std::int64_t i) {
    return types.is(i, "sliding_attention") ? 0 : (types.is(i, "compressed_sparse_attention") ? 1 : 2);
  };
  set_layers(p, [&](std::int64_t i) { return 2 * kind_of(i) + ffn.is(i, "hash_moe"); },
             [&](std::int64_t i) {
               Branch b{attention_of(s, types.at(i), rate(types.at(i))), 2};
               add_hyper_connection(b.node.tensors, "attn_hc", s);
               add_hyper_connection(b.node.tensors, "ffn_hc", s);
               return b;
             },
             [&](std::int64_t i) {
               Branch b = branch(moe);
               b.node.balanced = true;
               if (ffn.is(i, "hash_moe"))
                 add_tensor(b.node.buffers, "mlp.gate.tid2eid", {p.shell.vocabulary, moe.active});
               else
                 add_tensor(b.node.buffers, "mlp.gate.e_score_correction_bias", {moe.count});
               return b;
             });
  std::vector<Tensor> head;
  add_tensor(head, "hc_head.hc_fn", {s.streams, s.streams * s.hidden});
  add_tensor(head, "hc_head.hc_base", {s.streams});
  add_tensor(head, "hc_head.hc_scale", {1});
  Node node;
  node.row = "Hyper_Head", node.label = "Hyper-Connection", node.width = s.hidden, node.tensors = std::move(head);
  p.shell.before_head = {std::move(node)};
  return causal_lm(root, root, p);
}

constexpr std::string_view kTypes[] = {"deepseek_v4"};

}  // namespace

extern const Family deepseek_v4_family{"deepseek_v4", kTypes, build};

}  // namespace modelwatch::estimator
