#pragma once
#include <string>
#include <string_view>

#include "estimator/graph/node.h"

namespace modelwatch::estimator {

enum class NormStyle {
  rms,         ///< x·rsqrt(mean x²)·w: llama and most others; D parameters
  rms_plus,    ///< …·(1 + w) in fp32: gemma, qwen3_next; D parameters
  rms_free,    ///< without a weight
  layer,       ///< LayerNorm with weight and bias: 2·D
  layer_weight,  ///< LayerNorm without bias: D
  layer_free,  ///< LayerNorm without either (olmo)
};

/// What a norm reads: under autocast the residual stream is fp32, the output of a matrix product bf16.
enum class Stream { residual, branch };

/// "RMSNorm" or "LayerNorm".
std::string_view norm_label(NormStyle style);
void add_norm(std::vector<Tensor>& to, std::string_view name, Count width, NormStyle style);
/// Bytes a token: the norm's input and normalised value, and one cast per linear that reads its output.
Saved norm_saved(NormStyle style, Stream stream, Count width, Count readers);

/// A norm as a row of its own.
Node norm_node(std::string row, std::string_view name, Count width, NormStyle style, Stream stream, Count readers);

}  // namespace modelwatch::estimator
