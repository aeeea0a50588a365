#include <algorithm>

#include "estimator/blocks/decoder.h"
#include "estimator/blocks/layer_types.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// qwen3 with experts in every decoder_sparse_step-th layer that mlp_only_layers does not name. Published qwen3_moe files
/// keep the experts apart, the others fuse them.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  p.attention.bias(text.flag("attention_bias"));
  p.attention.qk_norm = QkNorm::head;
  Moe moe{.hidden = p.shell.hidden, .inner = text.size("moe_intermediate_size"), .count = text.count("num_experts", 0),
          .active = text.size("num_experts_per_tok")};
  if (text.type() != "qwen3_moe") moe.layout = Experts::fused;
  const std::vector<Count> dense = text.counts("mlp_only_layers");
  const std::int64_t step = text.size("decoder_sparse_step", 1).value();
  const LayerTypes ffn(text, p.shell.depth, [&](std::int64_t i) {
    const bool named = std::find(dense.begin(), dense.end(), Count(i)) != dense.end();
    return !named && moe.count && (i + 1) % step == 0 ? "sparse" : "dense";
  }, "mlp_layer_types");
  const LayerTypes types(text, p.shell.depth, [](std::int64_t) { return "full_attention"; });
  const Count window = text.count("sliding_window", 0);
  const auto slides = [&](std::int64_t i) { return types.is(i, "sliding_attention"); };
  set_layers(p, [&](std::int64_t i) { return 2 * slides(i) + ffn.is(i, "sparse"); },
             [&](std::int64_t i) {
               p.attention.window = slides(i) ? window : Count(0);
               return branch(p.attention);
             },
             [&](std::int64_t i) { return ffn.is(i, "sparse") ? branch(moe) : branch(p.mlp); });
  return causal_lm(root, text, p);
}

constexpr std::string_view kTypes[] = {"qwen3_moe", "qwen3_vl_moe_text", "mellum"};

}  // namespace

extern const Family qwen3_moe_family{"qwen3_moe", kTypes, build};

}  // namespace modelwatch::estimator
