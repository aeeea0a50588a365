#include "estimator/blocks/decoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// The first qwen: a biased c_attn, half of intermediate_size in each of w1 and w2, no other biases.
Model build(const Config& root) {
  LlamaLike p = llama_like(root);
  p.shell.prefix = "transformer.";
  p.shell.embedding = "wte", p.shell.layers = "h", p.shell.norm = "ln_f";
  p.norms.before_mixer = "ln_1", p.norms.before_ffn = "ln_2";
  Attention& a = p.attention;
  a.name = "attn", a.fused = "c_attn", a.o = "c_proj";
  a.q_bias = true;
  a.o_bias = !root.flag("no_bias", true);
  a.kv_heads = a.heads;
  p.mlp.gate = "w2", p.mlp.up = "w1", p.mlp.down = "c_proj";
  p.mlp.inner = p.mlp.inner / 2;
  p.mlp.bias(a.o_bias);
  return causal_lm(root, root, std::move(p));
}

constexpr std::string_view kTypes[] = {"qwen"};

}  // namespace

extern const Family qwen_family{"qwen", kTypes, build};

}  // namespace modelwatch::estimator
