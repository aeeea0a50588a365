#pragma once
#include "estimator/blocks/decoder.h"

namespace modelwatch::estimator {

/// The parts of a deepseek-like model: latent attention, and experts of moe_intermediate_size with n_shared_experts of
/// them fused into one block beside the router.
/// `value` is the width of a value where the config does not say it; 0 = it must.
LatentAttention latent_attention(const Config& text, Count value = 0);
LlamaLike latent_llama_like(const Config& text);
Moe deepseek_moe(const Config& text);

}  // namespace modelwatch::estimator
