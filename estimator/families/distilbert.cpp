#include "estimator/blocks/decoder.h"
#include "estimator/blocks/encoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// Half of bert: no types, no pooler; its own names.
Model build(const Config& root) {
  Encoder e;
  e.prefix = "distilbert.", e.layers = "transformer.layer", e.pooler = "";
  e.hidden = root.size("hidden_size");
  e.vocabulary = root.size("vocab_size");
  e.depth = root.count("num_hidden_layers", 0);
  e.position_rows = root.size("max_position_embeddings");
  Attention& a = e.attention;
  a = Attention{.name = "attention", .q = "q_lin", .k = "k_lin", .v = "v_lin", .o = "out_lin", .hidden = e.hidden,
                .heads = root.size("num_attention_heads"), .rotary = false};
  a.kv_heads = a.heads;
  a.head_dim = e.hidden / a.heads;
  a.bias(true);
  e.mlp = Mlp{.name = "ffn", .up = "lin1", .down = "lin2", .hidden = e.hidden, .inner = root.size("hidden_dim"), .gated = false,
              .up_bias = true, .down_bias = true, .activation = "gelu"};
  e.norms = LayerNorms{.before_mixer = "", .after_mixer = "sa_layer_norm", .before_ffn = "", .after_ffn = "output_layer_norm",
                       .style = NormStyle::layer, .after_add = true};
  if (root.architecture().ends_with("ForSequenceClassification")) {
    Model model;
    add_encoder(model, e, false, false);
    model.add(Part::text, "", {linear_node("Classifier_Dense", "pre_classifier", e.hidden, e.hidden, true),
                               linear_node("Classifier", "classifier", e.hidden, labels_of(root), true, Role::head)});
    model.context = e.position_rows;
    return model;
  }
  return encoder_model(root, std::move(e),
                       {.dense = "vocab_transform", .norm = "vocab_layer_norm", .bias = "vocab_projector.bias", .decoder = "vocab_projector"});
}

constexpr std::string_view kTypes[] = {"distilbert"};

}  // namespace

extern const Family distilbert_family{"distilbert", kTypes, build};

}  // namespace modelwatch::estimator
