#pragma once
#include "estimator/blocks/decoder.h"

namespace modelwatch::estimator {

/// bart and what descends from it: an encoder and a decoder with cross attention, biases everywhere, learned positions.
struct Bart {
  bool before = false;            ///< norms before the branches (mbart, pegasus, whisper), else after the sums
  bool embedding_norm = true;     ///< layernorm_embedding
  bool final_norm = false;        ///< layer_norm after the last layer
  Count position_offset = 2;      ///< rows beyond the longest sequence
  bool positions = true;          ///< stored positions; sinusoidal tables are computed
  bool k_bias = true;
};
/// One stack's layers under `prefix` ("model.decoder."), with cross attention in a decoder.
void add_bart_stack(Model& model, const Config& c, const std::string& prefix, bool decoder, const Bart& b, std::vector<Node> stem);
/// The decoder alone, as the ForCausalLM classes keep it: cross attention included, head tied.
Model bart_decoder(const Config& root, const Bart& b);
/// Shared table, encoder, decoder, head tied to the table.
Model bart_model(const Config& root, const Bart& b);

}  // namespace modelwatch::estimator
