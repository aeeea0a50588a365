#include <algorithm>

#include "estimator/blocks/decoder.h"
#include "estimator/blocks/delta.h"
#include "estimator/blocks/layer_types.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// Gated DeltaNet in three of four layers (its projections fused), gated attention in the fourth, experts with a shared
/// one behind a gate in all.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  Attention& a = p.attention;
  a.bias(text.flag("attention_bias"));
  a.qk_norm = QkNorm::head;
  a.qk_style = p.shell.style = p.norms.style = NormStyle::rms_plus;
  a.gate = a.concatenated = true;
  p.shell.rotary_width = rotary_width(text, a.head_dim, 0.25);
  const GatedDelta delta{.fused = true, .hidden = a.hidden, .key_heads = text.size("linear_num_key_heads"),
                         .value_heads = text.size("linear_num_value_heads"), .key_dim = text.size("linear_key_head_dim"),
                         .value_dim = text.size("linear_value_head_dim"), .kernel = text.size("linear_conv_kernel_dim")};
  Moe moe{.hidden = a.hidden, .inner = text.size("moe_intermediate_size"), .count = text.count("num_experts", 0),
          .active = text.size("num_experts_per_tok")};
  moe.shared = Mlp{.name = "shared_expert", .hidden = a.hidden, .inner = text.size("shared_expert_intermediate_size")};
  moe.shared_gate = "shared_expert_gate";
  const std::vector<Count> dense = text.counts("mlp_only_layers");
  const std::int64_t step = text.size("decoder_sparse_step", 1).value();
  const std::int64_t interval = text.size("full_attention_interval", 4).value();
  const LayerTypes types(text, p.shell.depth,
                         [&](std::int64_t i) { return (i + 1) % interval ? "linear_attention" : "full_attention"; });
  const auto sparse = [&](std::int64_t i) {
    return moe.count && (i + 1) % step == 0 && std::find(dense.begin(), dense.end(), Count(i)) == dense.end();
  };
  const auto linear = [&](std::int64_t i) { return types.is(i, "linear_attention"); };
  set_layers(p, [&](std::int64_t i) { return 2 * linear(i) + sparse(i); },
             [&](std::int64_t i) { return linear(i) ? Branch{gated_delta_node(delta), input_readers(delta)} : branch(a); },
             [&](std::int64_t i) { return sparse(i) ? branch(moe) : branch(p.mlp); });
  return causal_lm(root, text, p);
}

constexpr std::string_view kTypes[] = {"qwen3_next"};

}  // namespace

extern const Family qwen3_next_family{"qwen3_next", kTypes, build};

}  // namespace modelwatch::estimator
