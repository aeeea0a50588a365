#include "estimator/blocks/decoder.h"
#include "estimator/blocks/layer_types.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// olmo: norms without weights. olmo2, olmo3: norms after each branch, q and k normalised over their full width.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  p.attention.bias(text.flag("attention_bias"));
  if (text.type() == "olmo") {
    p.shell.style = p.norms.style = NormStyle::layer_free;
    return causal_lm(root, text, std::move(p));
  }
  p.attention.qk_norm = QkNorm::full;
  p.norms.before_mixer = p.norms.before_ffn = "";
  p.norms.after_mixer = "post_attention_layernorm", p.norms.after_ffn = "post_feedforward_layernorm";
  const Count window = text.count("sliding_window", 0);
  const bool slides = text.type() == "olmo3";
  const LayerTypes types(text, p.shell.depth,
                         [&](std::int64_t i) { return slides && (i + 1) % 4 ? "sliding_attention" : "full_attention"; });
  p.shell.kind_of = [&](std::int64_t i) { return types.is(i, "sliding_attention"); };
  p.shell.build = [&](std::int64_t i) {
    p.attention.window = p.shell.kind_of(i) ? window : Count(0);
    return decoder_layer(p.norms, p.shell.hidden, branch(p.attention), branch(p.mlp));
  };
  return causal_lm(root, text, p);
}

constexpr std::string_view kTypes[] = {"olmo", "olmo2", "olmo3"};

}  // namespace

extern const Family olmo_family{"olmo", kTypes, build};

}  // namespace modelwatch::estimator
