#include "estimator/blocks/decoder.h"
#include "estimator/blocks/encoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// bert under another prefix, with a head of its own kind and a classifier without pooler. xlm-roberta-xl puts the norms
/// before the branches and one after the last layer.
Model build(const Config& root) {
  const std::string& type = root.type();
  Encoder e = bert_like(root);
  e.prefix = type == "data2vec-text" ? "data2vec_text." : "roberta.";
  if (type == "xlm-roberta-xl") {
    e.embedding_norm = "";
    e.norms = LayerNorms{.before_mixer = "attention.self_attn_layer_norm", .before_ffn = "LayerNorm", .style = NormStyle::layer};
    e.final_norm = "encoder.LayerNorm";
  }
  return encoder_model(root, std::move(e),
                       {.dense = "lm_head.dense", .norm = "lm_head.layer_norm", .bias = "lm_head.bias", .decoder = "lm_head.decoder",
                        .classifier_dense = true});
}

constexpr std::string_view kTypes[] = {
    "roberta", "xlm-roberta", "camembert", "data2vec-text", "xlm-roberta-xl",
};

}  // namespace

extern const Family roberta_family{"roberta", kTypes, build};

}  // namespace modelwatch::estimator
