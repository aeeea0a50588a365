#pragma once
#include "estimator/blocks/decoder.h"

namespace modelwatch::estimator {

/// An encoder of the bert kind: word, position and type tables under one norm, layers whose norms follow the sums.
/// Names are bert's; others change some of them.
struct Encoder {
  std::string prefix = "bert.";  ///< left out where the architecture is the base model alone
  std::string layers = "encoder.layer";
  std::string words = "embeddings.word_embeddings";
  std::string positions = "embeddings.position_embeddings";
  std::string types = "embeddings.token_type_embeddings";
  std::string embedding_norm = "embeddings.LayerNorm";
  std::string pooler = "pooler.dense";
  Count hidden = {}, vocabulary = {}, depth = {}, position_rows = {}, type_rows = {};  ///< 0 rows = no such table
  Count embedding_width = {};  ///< 0 = hidden
  std::vector<Node> extras = {};  ///< nodes after the embedding norm
  std::string final_norm = {};    ///< a norm after the last layer
  bool always_pooled = false;     ///< every class keeps the pooler
  std::function<void(Node& attention)> in_layer = {};                           ///< further tensors of a layer's attention
  std::function<void(Model&, const std::string& prefix)> after_layers = {};  ///< modules beside the layers
  Attention attention = {};
  Mlp mlp = {};
  LayerNorms norms = {};
};
/// Sizes under their usual names, blocks under bert's.
Encoder bert_like(const Config& config);
void add_encoder(Model& model, const Encoder& e, bool base, bool pooled);

/// What stands on an encoder, by the architecture's name.
struct EncoderHeads {
  /// transform.dense, transform.LayerNorm, bias and a decoder tied to the words: prefixes of each; "" = absent.
  std::string dense, norm, bias, decoder;
  Count width = {};     ///< the transform's output; 0 = hidden
  bool classifier_dense = false;  ///< roberta's classifier has a dense of its own and no pooler
};
/// Model of an encoder class: body, pooler where the class has one, and the head that `architectures` names.
Model encoder_model(const Config& root, Encoder e, const EncoderHeads& heads);

}  // namespace modelwatch::estimator
