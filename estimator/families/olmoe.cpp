#include "estimator/blocks/decoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// Experts in every layer, q and k normalised over their full width; flex_olmo has olmo2's norms after the branches.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  p.attention.bias(text.flag("attention_bias"));
  p.attention.qk_norm = QkNorm::full;
  if (text.type() == "flex_olmo") {
    p.norms.before_mixer = p.norms.before_ffn = "";
    p.norms.after_mixer = "post_attention_layernorm", p.norms.after_ffn = "post_feedforward_layernorm";
  }
  Moe moe{.hidden = p.shell.hidden, .inner = p.mlp.inner, .count = text.size("num_experts"), .active = text.size("num_experts_per_tok")};
  p.shell.build = [&](std::int64_t) { return decoder_layer(p.norms, p.shell.hidden, branch(p.attention), branch(moe)); };
  return causal_lm(root, text, p);
}

constexpr std::string_view kTypes[] = {"olmoe", "flex_olmo"};

}  // namespace

extern const Family olmoe_family{"olmoe", kTypes, build};

}  // namespace modelwatch::estimator
