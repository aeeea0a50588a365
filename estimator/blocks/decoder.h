#pragma once
#include <functional>
#include <string>
#include <vector>

#include "estimator/blocks/attention.h"
#include "estimator/blocks/mlp.h"
#include "estimator/config/config.h"
#include "estimator/graph/model.h"

namespace modelwatch::estimator {

/// Names of a layer's norms; an empty name is a norm that the layer does not have.
struct LayerNorms {
  std::string before_mixer = "input_layernorm";
  std::string after_mixer = {};
  std::string before_ffn = "post_attention_layernorm";
  std::string after_ffn = {};
  NormStyle style = NormStyle::rms;
  /// Mixer and feed-forward read the same residual and are added at once. With an empty before_ffn they share a norm.
  bool parallel = false;
  /// The norms after a branch read the sum, as in the first transformers: mixer, add, norm.
  bool after_add = false;
};

/// A mixer (attention, convolution, state space) or a feed-forward block, and how many of its matrices read its input.
struct Branch {
  Node node;
  Count readers = {};
};
Branch branch(const Attention& a);
Branch branch(const LatentAttention& a);
Branch branch(const Mlp& m);
Branch branch(const Moe& m);

/// The rows of one layer in their order: norm, mixer, norm, add, norm, feed-forward, norm, add.
std::vector<Node> decoder_layer(const LayerNorms& norms, Count hidden, Branch mixer, Branch ffn);
/// A layer of a single branch: norm, mixer, add.
std::vector<Node> single_layer(const std::string& norm, NormStyle style, Count hidden, Branch mixer);

/// A layer of any number of branches, each with its norm before it or (after_add) after the sum.
struct Step {
  std::string norm;
  Branch branch;
};
std::vector<Node> residual_layer(NormStyle style, Count hidden, std::vector<Step> steps, bool after_add = false);

/// What a class puts on top of its base model. Source: the name in `architectures`.
enum class Head { causal, base, sequence_classification, token_classification, question_answering };
Head head_of(const Config& root);
/// num_labels, else the length of id2label, else 2.
Count labels_of(const Config& root);

/// Everything of a decoder that is not its layers. Names are those of checkpoints.
struct Shell {
  std::string prefix = "model.";  ///< left out where the architecture is the base model alone
  std::string embedding = "embed_tokens";
  std::string layers = "layers";
  std::string norm = "norm";
  std::string head = "lm_head";
  NormStyle style = NormStyle::rms;
  Count hidden = {}, vocabulary = {}, depth = {};
  bool tied = false;
  bool head_bias = false;
  bool rotary = true;
  Count table_width = {};      ///< of the embedding and the head where it is not `hidden`
  Count extra_rows = {};       ///< rows of the embedding beyond the vocabulary
  Count rotary_width = {};     ///< of the cosine and sine tables
  bool soft_capped = false;
  std::vector<Node> extras = {};  ///< nodes after the embedding: learned positions, an embedding norm …
  std::vector<Node> before_head = {};  ///< nodes after the final norm, under the prefix
  Part part = Part::text;
  std::function<std::int64_t(std::int64_t)> kind_of = [](std::int64_t) { return 0; };
  std::function<std::vector<Node>(std::int64_t)> build;
};

/// Embedding, layers, final norm and head of a decoder-only model, into `model`.
void add_decoder(Model& model, const Shell& shell, Head head, Count labels);

/// A learned table [rows, width].
Node embedding_node(std::string row, std::string_view name, Count rows, Count width);
Node linear_node(std::string row, std::string_view name, Count in, Count out, bool bias, Role role = Role::linear);

/// D, H, G, head_dim, I, V, depth … under the usual names, and the shell and blocks of a llama made of them.
struct LlamaLike {
  Shell shell = {};
  Attention attention = {};
  Mlp mlp = {};
  LayerNorms norms = {};
};
LlamaLike llama_like(const Config& text);
/// The same for a model all of whose layers have experts: intermediate_size is not asked for.
LlamaLike llama_like_without_mlp(const Config& text);
/// Layers whose mixer and feed-forward depend on their index; layers of one `kind` are equal. `p` must outlive the model's
/// building.
void set_layers(LlamaLike& p, std::function<std::int64_t(std::int64_t)> kind, std::function<Branch(std::int64_t)> mixer,
                std::function<Branch(std::int64_t)> ffn);
/// Embedding, layers, norm and head of `parts` into a model that may have towers already.
void add_text(Model& model, const Config& root, const Config& text, LlamaLike& parts);
/// A model of nothing but `parts`; without a build function its layers are all of the given attention and Mlp.
Model causal_lm(const Config& root, const Config& text, LlamaLike parts);
/// tie_word_embeddings of the text part, else of the root, else `fallback`.
bool tied(const Config& root, const Config& text, bool fallback);
/// rope width: head_dim · partial_rotary_factor.
Count rotary_width(const Config& text, Count head_dim, double default_factor = 1.0);

}  // namespace modelwatch::estimator
