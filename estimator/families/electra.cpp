#include "estimator/blocks/decoder.h"
#include "estimator/blocks/encoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// bert with a narrower table, projected to the hidden width; a generator's head works at the table's width.
Model build(const Config& root) {
  Encoder e = bert_like(root);
  e.prefix = "electra.";
  e.pooler = "";
  e.embedding_width = root.size("embedding_size", 128);
  if (e.embedding_width != e.hidden) e.extras.push_back(linear_node("Embedding_Projection", "embeddings_project", e.embedding_width, e.hidden, true));
  if (root.architecture().ends_with("ForPreTraining")) {
    Model model;
    add_encoder(model, e, false, false);
    model.add(Part::text, "discriminator_predictions.", {linear_node("Discriminator_Dense", "dense", e.hidden, e.hidden, true),
                                                         linear_node("Discriminator", "dense_prediction", e.hidden, 1, true, Role::head)});
    return model;
  }
  return encoder_model(root, std::move(e),
                       {.dense = "generator_predictions.dense", .norm = "generator_predictions.LayerNorm", .bias = "generator_lm_head.bias",
                        .decoder = "generator_lm_head", .width = root.size("embedding_size", 128), .classifier_dense = true});
}

constexpr std::string_view kTypes[] = {"electra"};

}  // namespace

extern const Family electra_family{"electra", kTypes, build};

}  // namespace modelwatch::estimator
