#pragma once
#include <string>

#include "estimator/blocks/norm.h"

namespace modelwatch::estimator {

/// Gated DeltaNet: linear attention with a decaying state of Hv·dk·dv.
/// Parameters: D·(2·Hk·dk + 2·Hv·dv + 2·Hv), convolution (2·Hk·dk + Hv·dv)·K, A_log and dt_bias Hv each, norm dv, out
/// Hv·dv·D.
struct GatedDelta {
  std::string name = "linear_attn";
  /// qwen3_5 keeps in_proj_{qkv,z,b,a} apart, qwen3_next in_proj_{qkvz,ba}.
  bool fused = false;
  Count hidden = {}, key_heads = {}, value_heads = {}, key_dim = {}, value_dim = {}, kernel = {};
};
Node gated_delta_node(const GatedDelta& g);
inline Count input_readers(const GatedDelta& g) { return g.fused ? 2 : 4; }

}  // namespace modelwatch::estimator
