#include "estimator/blocks/decoder.h"
#include "estimator/blocks/encoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// Task ids of ernie, three more tables of roc_bert that one matrix joins.
void add_extras(Encoder& e, const Config& root) {
  if (root.type() == "ernie" && root.flag("use_task_id"))
    e.extras.push_back(embedding_node("Tasks", "embeddings.task_type_embeddings", root.size("task_type_vocab_size", 3), e.hidden));
  if (root.type() != "roc_bert") return;
  const bool sound = root.flag("enable_pronunciation", true), shape = root.flag("enable_shape", true);
  Count joined_width = e.hidden;
  const auto table = [&](const char* row, const char* name, Count rows, Count width) {
    e.extras.push_back(embedding_node(row, name, rows, width));
    joined_width += width;
  };
  if (sound)
    table("Pronunciation", "embeddings.pronunciation_embed", root.size("pronunciation_vocab_size"), root.size("pronunciation_embed_dim"));
  if (shape) table("Shape", "embeddings.shape_embed", root.size("shape_vocab_size"), root.size("shape_embed_dim"));
  if (root.flag("concat_input", true)) e.extras.push_back(linear_node("Map", "embeddings.map_inputs_layer", joined_width, e.hidden, true));
}

Model build(const Config& root) {
  const std::string& type = root.type();
  Encoder e = bert_like(root);
  if (type == "ernie") e.prefix = "ernie.";
  if (type == "roc_bert") e.prefix = "roc_bert.";
  if (type == "big_bird") {
    e.attention.qkv_bias(root.flag("use_bias", true));
    e.pooler = "pooler";
    e.always_pooled = true;
  }
  add_extras(e, root);
  return encoder_model(root, std::move(e),
                       {.dense = "cls.predictions.transform.dense", .norm = "cls.predictions.transform.LayerNorm",
                        .bias = "cls.predictions.bias", .decoder = "cls.predictions.decoder"});
}

constexpr std::string_view kTypes[] = {"bert", "ernie", "big_bird", "roc_bert"};

}  // namespace

extern const Family bert_family{"bert", kTypes, build};

}  // namespace modelwatch::estimator
