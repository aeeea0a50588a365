#include "estimator/blocks/decoder.h"
#include "estimator/blocks/layer_types.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// gemma, and gemma2 with a norm on both sides of each branch, every other layer sliding, soft-capped logits.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  p.shell.style = p.norms.style = NormStyle::rms_plus;
  p.shell.tied = true;
  p.attention.bias(text.flag("attention_bias"));
  p.mlp.activation = "gelu_pytorch_tanh";
  if (text.type() == "gemma") return causal_lm(root, text, std::move(p));

  p.norms.after_mixer = "post_attention_layernorm";
  p.norms.before_ffn = "pre_feedforward_layernorm";
  p.norms.after_ffn = "post_feedforward_layernorm";
  p.shell.soft_capped = text.real("final_logit_softcapping", 0) > 0;
  const LayerTypes types(text, p.shell.depth, [](std::int64_t i) { return i % 2 == 0 ? "sliding_attention" : "full_attention"; });
  const Count window = text.count("sliding_window", 0);
  p.shell.kind_of = [&](std::int64_t i) { return types.is(i, "sliding_attention"); };
  p.shell.build = [&](std::int64_t i) {
    p.attention.window = p.shell.kind_of(i) ? window : Count(0);
    return decoder_layer(p.norms, p.shell.hidden, branch(p.attention), branch(p.mlp));
  };
  return causal_lm(root, text, p);
}

constexpr std::string_view kTypes[] = {"gemma", "gemma2"};

}  // namespace

extern const Family gemma_family{"gemma", kTypes, build};

}  // namespace modelwatch::estimator
