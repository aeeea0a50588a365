#include <algorithm>

#include "estimator/blocks/decoder.h"
#include "estimator/blocks/layer_types.h"
#include "estimator/blocks/mamba.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// Short convolutions and a few attentions; the feed-forward width of old files is adjusted to a multiple of 256. lfm3 has
/// norms on both sides of a branch and gates its attention a head.
Model build(const Config& root) {
  const Config text = root.text();
  const bool third = text.type() == "lfm3";
  LlamaLike p = llama_like(text);
  Attention& a = p.attention;
  a.bias(text.flag("attention_bias"));
  a.qk_norm = QkNorm::head;
  p.shell.norm = "embedding_norm";
  p.shell.tied = text.flag("tie_embedding", true);
  p.norms.before_mixer = "operator_norm", p.norms.before_ffn = "ffn_norm";
  if (third) {
    if (text.flag("use_sandwich_norm", true)) p.norms.after_mixer = "post_operator_norm", p.norms.after_ffn = "post_ffn_norm";
    if (text.flag("use_attention_gate", true)) a.gate_proj = "g_proj", a.gate_width = a.heads;
  } else {
    a.o = "out_proj", a.q_norm = "q_layernorm", a.k_norm = "k_layernorm";
  }
  Mlp& m = p.mlp;
  m.name = "feed_forward", m.gate = "w1", m.up = "w3", m.down = "w2";
  if (text.type() == "lfm2") {
    if (text.raw("block_ff_dim")) m.inner = text.size("block_ff_dim");
    if (text.flag("block_auto_adjust_ff_dim", true)) {
      m.inner = static_cast<std::int64_t>(text.real("block_ffn_dim_multiplier", 1) * (2 * m.inner / 3).real());
      m.inner = round_up(m.inner, text.size("block_multiple_of", 256));
    }
  }
  const ShortConv conv{.hidden = p.shell.hidden, .kernel = text.size("conv_L_cache"), .bias = text.flag("conv_bias")};
  const bool sparse_type = text.type() == "lfm2_moe";
  const std::int64_t dense = sparse_type ? text.count("num_dense_layers", 2).value() : p.shell.depth.value();
  Moe moe{.name = "feed_forward", .gate = "w1", .up = "w3", .down = "w2", .hidden = p.shell.hidden,
          .inner = sparse_type ? text.size("moe_intermediate_size") : Count(1), .count = text.count("num_experts", 0),
          .active = text.count("num_experts_per_tok", 1)};
  if (text.flag("use_expert_bias", true)) moe.correction = "expert_bias";
  const std::vector<Count> indices = text.counts("full_attn_idxs");
  const LayerTypes types(text, p.shell.depth, [&](std::int64_t i) {
    return indices.empty() || std::find(indices.begin(), indices.end(), Count(i)) != indices.end() ? "full_attention" : "conv";
  });
  const Count window = text.count("sliding_window", 0);
  const auto kind = [&](std::int64_t i) { return types.is(i, "conv") ? 0 : (types.is(i, "sliding_attention") ? 1 : 2); };
  set_layers(p, [&](std::int64_t i) { return 2 * kind(i) + (i >= dense); },
             [&](std::int64_t i) -> Branch {
               if (kind(i) == 0) return {short_conv_node(conv), 1};
               a.window = kind(i) == 1 ? window : Count(0);
               return branch(a);
             },
             [&](std::int64_t i) { return i >= dense ? branch(moe) : branch(m); });
  return causal_lm(root, text, p);
}

constexpr std::string_view kTypes[] = {"lfm2", "lfm2_moe", "lfm3"};

}  // namespace

extern const Family lfm2_family{"lfm2", kTypes, build};

}  // namespace modelwatch::estimator
