#include "estimator/blocks/decoder.h"
#include "estimator/blocks/layer_types.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// Biases on q, k and v in every configuration: no key says so. Where use_sliding_window is set, layers from
/// max_window_layers on slide.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  p.attention.qkv_bias(true);
  const Count window = text.flag("use_sliding_window") ? text.count("sliding_window", 0) : Count(0);
  const Count first = text.count("max_window_layers", 28);
  const LayerTypes types(text, p.shell.depth, [&](std::int64_t i) {
    return window && Count(i) >= first ? "sliding_attention" : "full_attention";
  });
  set_layers(p, [&](std::int64_t i) { return types.is(i, "sliding_attention"); },
             [&](std::int64_t i) {
               p.attention.window = types.is(i, "sliding_attention") ? window : Count(0);
               return branch(p.attention);
             },
             [&](std::int64_t) { return branch(p.mlp); });
  return causal_lm(root, text, p);
}

constexpr std::string_view kTypes[] = {"qwen2", "qwen2_vl_text", "qwen2_5_vl_text", "qwen2_5_omni_text"};

}  // namespace

extern const Family qwen2_family{"qwen2", kTypes, build};

}  // namespace modelwatch::estimator
