#include "estimator/blocks/latent.h"

namespace modelwatch::estimator {

LatentAttention latent_attention(const Config& text, Count value) {
  LatentAttention a;
  a.hidden = text.size("hidden_size");
  a.heads = text.size("num_attention_heads");
  a.q_rank = text.count("q_lora_rank", 0);
  a.kv_rank = text.size("kv_lora_rank");
  a.nope = text.size("qk_nope_head_dim");
  a.rope = text.count("qk_rope_head_dim", 0);
  a.value = value ? text.size("v_head_dim", value) : text.size("v_head_dim");
  a.bias = text.flag("attention_bias");
  return a;
}

LlamaLike latent_llama_like(const Config& text) {
  LlamaLike p = llama_like(text);
  p.shell.rotary_width = text.count("qk_rope_head_dim", 0);
  return p;
}

Moe deepseek_moe(const Config& text) {
  Moe moe;
  moe.hidden = text.size("hidden_size");
  moe.inner = text.size("moe_intermediate_size");
  moe.count = text.size("n_routed_experts");
  moe.active = text.size("num_experts_per_tok");
  if (const Count shared = text.count("n_shared_experts", 0); shared)
    moe.shared = Mlp{.name = "shared_experts", .hidden = moe.hidden, .inner = shared * moe.inner};
  return moe;
}

}  // namespace modelwatch::estimator
