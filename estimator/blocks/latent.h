#pragma once
#include "estimator/blocks/decoder.h"

namespace modelwatch::estimator {

/// The parts of a deepseek-like model: latent attention, and experts of moe_intermediate_size with n_shared_experts of
/// them fused into one block beside the router.
LatentAttention latent_attention(const Config& text);
LlamaLike latent_llama_like(const Config& text);
Moe deepseek_moe(const Config& text);

}  // namespace modelwatch::estimator
