#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace modelwatch::estimator {

/// What a stored name says beyond the tensor it belongs to.
enum class Companion {
  none,        ///< the tensor itself
  packed,      ///< the weight in packed form: qweight, weight_packed, _blocks
  scale,       ///< weight_scale, scales, absmax, quant_map …
  zero_point,  ///< qzeros, weight_zero_point
  index,       ///< g_idx, weight_g_idx, weight_shape
  cache_scale, ///< k_scale, v_scale
};
struct StoredName {
  std::string weight;  ///< name of the logical tensor
  Companion companion = Companion::none;
};
/// Splits the names that gptq, awq, fp8, compressed-tensors, bitsandbytes, mxfp4, nvfp4 and torchao write.
StoredName read_stored_name(std::string_view name);

/// Buffers that older classes stored and that are no parameters: rotary frequencies, causal masks, position ids.
bool is_stored_buffer(std::string_view name);

/// Names under which another writer may have stored `name`, likeliest first: with and without the outer prefixes.
std::vector<std::string> aliases(std::string_view name);

/// "model.layers.12.mlp.experts.3.up_proj.weight" → "model.layers.*.mlp.experts.*.up_proj.weight"
std::string star_indices(std::string_view name);

/// "model.layers.1.mlp.experts" for a tensor of its routed experts, "" for others.
std::string expert_group(std::string_view name);

}  // namespace modelwatch::estimator
