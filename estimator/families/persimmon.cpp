#include "estimator/blocks/decoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// One biased matrix for q, k and v, LayerNorms per head on q and k, an ungated MLP with relu².
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  Attention& a = p.attention;
  a.fused = "query_key_value", a.o = "dense", a.q_norm = "q_layernorm", a.k_norm = "k_layernorm";
  a.bias(true);
  a.concatenated = true;
  a.kv_heads = a.heads;
  if (text.flag("qk_layernorm", true)) a.qk_norm = QkNorm::head, a.qk_style = NormStyle::layer;
  p.mlp.gated = false, p.mlp.up = "dense_h_to_4h", p.mlp.down = "dense_4h_to_h";
  p.mlp.bias(true);
  p.shell.style = p.norms.style = NormStyle::layer;
  p.shell.norm = "final_layernorm";
  p.shell.rotary_width = rotary_width(text, a.head_dim, 0.5);
  return causal_lm(root, text, std::move(p));
}

constexpr std::string_view kTypes[] = {"persimmon"};

}  // namespace

extern const Family persimmon_family{"persimmon", kTypes, build};

}  // namespace modelwatch::estimator
