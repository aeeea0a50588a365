#pragma once
#include <string>

#include "estimator/blocks/norm.h"

namespace modelwatch::estimator {

enum class QkNorm {
  none,
  head,  ///< one weight of head_dim for all heads
  full,  ///< over the joined width H·d and G·d
  each,  ///< one weight per head: [H, d] and [G, d]
};

/// Scaled dot-product attention of H query heads over G key-value heads of width d.
/// Parameters: D·H·d + D·G·d + D·G·d_v + H·d_v·D, biases, norms, sinks H.
struct Attention {
  std::string name = "self_attn";
  std::string q = "q_proj", k = "k_proj", v = "v_proj", o = "o_proj";
  std::string fused = {};  ///< name of one matrix that holds q, k and v; empty where they are apart
  Count hidden = {}, heads = {}, kv_heads = {}, head_dim = {};
  Count value_dim = {};  ///< 0 = head_dim
  Count out = {};        ///< width that leaves; 0 = hidden
  bool q_bias = false, k_bias = false, v_bias = false, o_bias = false;
  bool conv1d = false;  ///< matrices as [in, out]
  QkNorm qk_norm = QkNorm::none;
  NormStyle qk_style = NormStyle::rms;
  std::string q_norm = "q_norm", k_norm = "k_norm";
  bool gate = false;            ///< an output gate that doubles q_proj
  std::string gate_proj = {};   ///< name of a matrix of its own for an output gate …
  Count gate_width = {};        ///< … and its width: H or H·d
  bool sinks = false;           ///< one learned logit a head
  bool rotary = true;
  bool concatenated = false;    ///< q is built by concatenation (partial rotary): the output is copied once more
  Count window = {};                 ///< 0 = all of the context
  bool shared_kv = false;       ///< reads the keys and values of an earlier layer: neither k, v nor a cache of its own
  bool keys_are_values = false; ///< no v matrix: the keys serve as values too

  void bias(bool on) { q_bias = k_bias = v_bias = o_bias = on; }
  void qkv_bias(bool on) { q_bias = k_bias = v_bias = on; }
};
Node attention_node(const Attention& a);
/// Matrices that read the attention's input.
Count input_readers(const Attention& a);

/// Multi-head latent attention: keys and values grow from one latent of width kv_rank; `rope` further scalars of a key
/// are shared by all heads. q: D·ql + ql + ql·H·(n+r), or D·H·(n+r) without q_rank; kv: D·(kl+r) + kl + kl·H·(n+v);
/// out: H·v·D. The cache holds kl + r a token.
struct LatentAttention {
  std::string name = "self_attn";
  Count hidden = {}, heads = {}, q_rank = {}, kv_rank = {}, nope = {}, rope = {}, value = {};
  bool bias = false;  ///< q_a, kv_a and o
  NormStyle style = NormStyle::rms;
  std::string q_norm = "q_a_layernorm", kv_norm = "kv_a_layernorm";
};
Node latent_attention_node(const LatentAttention& a);

}  // namespace modelwatch::estimator
