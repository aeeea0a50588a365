#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "estimator/json/value.h"
#include "tests/hub/git/safetensors.h"

namespace modelwatch::testhub {

/// The tensors a published checkpoint of this config.json has, for the plain decoders: llama, mistral, qwen2,
/// qwen3. Written down here apart from the product's own derivation, which the demo holds against it. Throws
/// std::invalid_argument on another model type or a missing key.
std::vector<Tensor> decoder_tensors(const json::Value& config);

/// Part `shard` of `of` (counted from 1) as save_pretrained cuts them: whole tensors in order, about equally
/// large.
std::vector<Tensor> shard_of(const std::vector<Tensor>& tensors, std::int64_t shard, std::int64_t of);
/// model.safetensors.index.json over `of` shards.
std::string shard_index(const std::vector<Tensor>& tensors, std::int64_t of);

}  // namespace modelwatch::testhub
