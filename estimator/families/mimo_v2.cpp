#include "estimator/blocks/decoder.h"
#include "estimator/blocks/latent.h"
#include "estimator/blocks/layer_types.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// Keys wider than values; sliding layers have twice the key-value heads and a sink a head. First layer dense.
Model build(const Config& root) {
  LlamaLike p = llama_like(root);
  Attention& a = p.attention;
  a.qkv_bias(root.flag("attention_bias"));
  a.value_dim = root.size("v_head_dim", a.head_dim);
  a.concatenated = true;
  p.shell.rotary_width = rotary_width(root, a.head_dim, 0.334);
  Moe moe = deepseek_moe(root);
  moe.correction = "gate.e_score_correction_bias";
  const std::vector<Count> hybrid = root.counts("hybrid_layer_pattern"), frequency = root.counts("moe_layer_freq");
  const auto entry = [](const std::vector<Count>& list, std::int64_t i, bool fallback) {
    return static_cast<std::size_t>(i) < list.size() ? static_cast<bool>(list[static_cast<std::size_t>(i)]) : fallback;
  };
  const LayerTypes types(root, p.shell.depth, [&](std::int64_t i) {
    return entry(hybrid, i, i != 0 && (i + 1) % 6 != 0) ? "sliding_attention" : "full_attention";
  });
  const LayerTypes ffn(root, p.shell.depth, [&](std::int64_t i) { return entry(frequency, i, i != 0) ? "sparse" : "dense"; }, "mlp_layer_types");
  const auto slides = [&](std::int64_t i) { return types.is(i, "sliding_attention"); };
  const Count window = root.count("sliding_window", 0), full_heads = a.kv_heads;
  const Count sliding_heads = root.size("swa_num_key_value_heads", 2 * full_heads);
  set_layers(p, [&](std::int64_t i) { return 2 * slides(i) + ffn.is(i, "sparse"); },
             [&](std::int64_t i) {
               a.sinks = slides(i);
               a.window = slides(i) ? window : Count(0);
               a.kv_heads = slides(i) ? sliding_heads : full_heads;
               return branch(a);
             },
             [&](std::int64_t i) { return ffn.is(i, "sparse") ? branch(moe) : branch(p.mlp); });
  return causal_lm(root, root, p);
}

constexpr std::string_view kTypes[] = {"mimo_v2_flash"};

}  // namespace

extern const Family mimo_v2_family{"mimo_v2", kTypes, build};

}  // namespace modelwatch::estimator
