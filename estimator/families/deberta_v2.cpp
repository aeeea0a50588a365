#include <algorithm>

#include "estimator/blocks/decoder.h"
#include "estimator/blocks/encoder.h"
#include "estimator/blocks/linear.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// Disentangled attention: a table of relative positions for all layers, position projections in each unless share_att_key.
Model build(const Config& root) {
  Encoder e = bert_like(root);
  e.prefix = "deberta.", e.pooler = "";
  Attention& a = e.attention;
  a.q = "self.query_proj", a.k = "self.key_proj", a.v = "self.value_proj";
  if (!root.flag("position_biased_input", true)) e.position_rows = 0;
  e.embedding_width = root.size("embedding_size", e.hidden);
  if (e.embedding_width != e.hidden)
    e.extras.push_back(linear_node("Embedding_Projection", "embeddings.embed_proj", e.embedding_width, e.hidden, false));
  const bool relative = root.flag("relative_attention");
  const json::Value* kinds = root.raw("pos_att_type");
  const bool listed = kinds && kinds->array();
  const auto has = [&](std::string_view kind) {
    return listed && std::any_of(kinds->array()->begin(), kinds->array()->end(), [&](const json::Value& v) { return v.string() && *v.string() == kind; });
  };
  const bool shared = root.flag("share_att_key");
  Model model;
  e.after_layers = [&](Model& m, const std::string& prefix) {
    if (!relative) return;
    const json::Value* buckets = root.raw("position_buckets");
    const bool bucketed = buckets && buckets->integer() && *buckets->integer() > 0;
    const json::Value* most = root.raw("max_relative_positions");
    const Count reach = bucketed ? Count(*buckets->integer())
                                 : (most && most->integer() && *most->integer() > 0 ? Count(*most->integer()) : root.size("max_position_embeddings"));
    std::vector<Node> nodes{embedding_node("Relative_Positions", "rel_embeddings", 2 * reach, e.hidden)};
    if (root.word("norm_rel_ebd", "none").find("layer_norm") != std::string::npos)
      nodes.push_back(norm_node("Relative_Norm", "LayerNorm", e.hidden, NormStyle::layer, Stream::residual, 0));
    m.add(Part::text, prefix + "encoder.", std::move(nodes));
  };
  e.in_layer = [&](Node& attention) {
    if (!relative || shared) return;
    if (has("c2p")) add_linear(attention.tensors, "attention.self.pos_key_proj", e.hidden, e.hidden, true);
    if (has("p2c")) add_linear(attention.tensors, "attention.self.pos_query_proj", e.hidden, e.hidden, true);
  };
  const std::string name = root.architecture();
  if (name.ends_with("ForSequenceClassification") || name.ends_with("ForMultipleChoice")) {
    const Count pooled = root.size("pooler_hidden_size", e.hidden);
    add_encoder(model, e, false, false);
    model.add(Part::text, "", {linear_node("Pooler", "pooler.dense", pooled, pooled, true),
                               linear_node("Classifier", "classifier", pooled, name.ends_with("Choice") ? Count(1) : labels_of(root), true, Role::head)});
    return model;
  }
  return encoder_model(root, e,
                       {.dense = "cls.predictions.transform.dense", .norm = "cls.predictions.transform.LayerNorm",
                        .bias = "cls.predictions.bias", .decoder = "cls.predictions.decoder"});
}

constexpr std::string_view kTypes[] = {"deberta-v2"};

}  // namespace

extern const Family deberta_v2_family{"deberta_v2", kTypes, build};

}  // namespace modelwatch::estimator
