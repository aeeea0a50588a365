#pragma once
#include <string>

#include "estimator/blocks/decoder.h"

namespace modelwatch::estimator {

/// Image towers, each from its own sub-config, every block counted. They return the width that leaves the tower.

/// The tower of the qwen family: visual.patch_embed, visual.blocks with one matrix for q, k and v, visual.merger.
struct QwenVision {
  bool position_table = false;  ///< pos_embed [num_position_embeddings, D] and biased patches: qwen3_vl, qwen3_5
  bool gated = false;           ///< gate_proj, up_proj, down_proj, RMSNorm: qwen2_5_vl
  std::string up = "fc1", down = "fc2";
};
void add_qwen_vision(Model& model, const std::string& prefix, const Config& vision, const QwenVision& style);

/// clip_vision_model and siglip_vision_model: embeddings, encoder.layers, layer norms with biases everywhere.
struct ClipVision {
  bool class_token = true;       ///< clip; with a norm before the layers and unbiased patches
  bool flat_patches = false;     ///< siglip2: patches as one matrix [D, channels·p²]
  bool pooling_head = false;     ///< siglip's attention pooling
};
Count add_clip_vision(Model& model, const std::string& prefix, const Config& vision, const ClipVision& style);

/// pixtral: biasless llama-like layers over biasless patches, two RMSNorms a layer, rotary positions.
Count add_pixtral_vision(Model& model, const std::string& prefix, const Config& vision);
/// internvl_vision: a class token, learned positions, layer scales, one bias on q, k and v by key.
Count add_internvl_vision(Model& model, const std::string& prefix, const Config& vision);

/// A module that occurs once, as a row: patch embeddings, mergers.
Node vision_node(std::string row, std::string label, Count width, std::vector<Tensor> tensors);
/// The rows of one encoder layer, named as vision rows.
std::vector<Node> vision_layer(const LayerNorms& norms, Count width, const Attention& attention, const Mlp& mlp);

}  // namespace modelwatch::estimator
