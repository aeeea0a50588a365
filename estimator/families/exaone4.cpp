#include "estimator/blocks/decoder.h"
#include "estimator/blocks/layer_types.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// Norms after each branch and per head on q and k; three sliding layers to one full.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  p.attention.qk_norm = QkNorm::head;
  p.norms.before_mixer = p.norms.before_ffn = "";
  p.norms.after_mixer = "post_attention_layernorm", p.norms.after_ffn = "post_feedforward_layernorm";
  const Count window = text.count("sliding_window", 0);
  const json::Value* written = text.raw("sliding_window_pattern");  // 4, or "LLLG"
  const bool letters = written && written->string() && !written->string()->empty();
  const std::int64_t pattern = letters ? static_cast<std::int64_t>(written->string()->size()) : text.size("sliding_window_pattern", 4).value();
  const LayerTypes types(text, p.shell.depth, [&](std::int64_t i) {
    const bool slides = letters ? (*written->string())[static_cast<std::size_t>(i % pattern)] == 'L' : (i + 1) % pattern != 0;
    return window && slides ? "sliding_attention" : "full_attention";
  });
  p.shell.kind_of = [&](std::int64_t i) { return types.is(i, "sliding_attention"); };
  p.shell.build = [&](std::int64_t i) {
    p.attention.window = p.shell.kind_of(i) ? window : Count(0);
    return decoder_layer(p.norms, p.shell.hidden, branch(p.attention), branch(p.mlp));
  };
  return causal_lm(root, text, p);
}

constexpr std::string_view kTypes[] = {"exaone4"};

}  // namespace

extern const Family exaone4_family{"exaone4", kTypes, build};

}  // namespace modelwatch::estimator
