#include "estimator/blocks/decoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// glm: gate and up in one matrix, biases on q, k and v. glm4 adds a norm after each branch.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  p.attention.qkv_bias(text.flag("attention_bias"));
  p.attention.concatenated = true;
  p.shell.rotary_width = rotary_width(text, p.attention.head_dim, 0.5);
  p.mlp.fused = "gate_up_proj";
  if (text.type() == "glm4") p.norms.after_mixer = "post_self_attn_layernorm", p.norms.after_ffn = "post_mlp_layernorm";
  return causal_lm(root, text, std::move(p));
}

constexpr std::string_view kTypes[] = {"glm", "glm4"};

}  // namespace

extern const Family glm4_family{"glm4", kTypes, build};

}  // namespace modelwatch::estimator
