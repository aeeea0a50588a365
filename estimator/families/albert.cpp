#include "estimator/blocks/decoder.h"
#include "estimator/blocks/linear.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// One group of layers used num_hidden_layers times over a narrow table: few parameters, all the activations.
Model build(const Config& root) {
  Model model;
  const bool base = root.architecture() == "AlbertModel";
  const std::string prefix = base ? "" : "albert.";
  const Count width = root.size("embedding_size"), hidden = root.size("hidden_size"), vocabulary = root.size("vocab_size");
  model.add(Part::text, prefix + "embeddings.",
            {embedding_node("Embedding", "word_embeddings", vocabulary, width),
             embedding_node("Positions", "position_embeddings", root.size("max_position_embeddings"), width),
             embedding_node("Types", "token_type_embeddings", root.size("type_vocab_size"), width),
             norm_node("Embedding_Norm", "LayerNorm", width, NormStyle::layer, Stream::residual, 1)});
  model.add(Part::text, prefix + "encoder.", {linear_node("Embedding_Projection", "embedding_hidden_mapping_in", width, hidden, true)});
  Attention a{.name = "attention", .q = "query", .k = "key", .v = "value", .o = "dense", .hidden = hidden,
              .heads = root.size("num_attention_heads"), .rotary = false};
  a.kv_heads = a.heads;
  a.head_dim = hidden / a.heads;
  a.bias(true);
  const Mlp m{.name = "", .up = "ffn", .down = "ffn_output", .hidden = hidden, .inner = root.size("intermediate_size"), .gated = false,
              .up_bias = true, .down_bias = true, .activation = root.word("hidden_act", "gelu")};
  const LayerNorms norms{.before_mixer = "", .after_mixer = "attention.LayerNorm", .before_ffn = "",
                         .after_ffn = "full_layer_layer_norm", .style = NormStyle::layer, .after_add = true};
  const std::int64_t inner = min(root.size("inner_group_num", 1), 64).value();
  for (std::int64_t i = 0; i < inner; ++i) {
    Section& group = model.stack(
        Part::text, prefix + "encoder.albert_layer_groups.", min(root.size("num_hidden_groups", 1), 10'000),
        [](std::int64_t) { return 0; }, [&](std::int64_t) { return decoder_layer(norms, hidden, branch(a), branch(m)); });
    group.infix = ".albert_layers." + std::to_string(i) + ".";
  }
  const std::string name = root.architecture();
  const bool pooled = base || name.ends_with("ForSequenceClassification") || name.ends_with("ForPreTraining") || name.ends_with("MultipleChoice");
  if (pooled) model.add(Part::text, prefix, {linear_node("Pooler", "pooler", hidden, hidden, true)});
  if (name.ends_with("ForSequenceClassification") || name.ends_with("ForTokenClassification"))
    model.add(Part::text, "", {linear_node("Classifier", "classifier", hidden, labels_of(root), true, Role::head)});
  else if (name.ends_with("ForQuestionAnswering"))
    model.add(Part::text, "", {linear_node("Span", "qa_outputs", hidden, labels_of(root), true, Role::head)});
  else if (!base) {
    Node bias;
    bias.row = "LM_Head", bias.label = "Linear", bias.kind = NodeKind::linear, bias.width = vocabulary;
    add_tensor(bias.tensors, "bias", {vocabulary}, Role::bias);
    model.add(Part::text, "predictions.",
              {linear_node("LM_Transform", "dense", hidden, width, true), norm_node("LM_Norm", "LayerNorm", width, NormStyle::layer, Stream::branch, 1),
               std::move(bias)});
    model.tied.emplace_back("predictions.decoder.weight", prefix + "embeddings.word_embeddings.weight");
    model.vocabulary = vocabulary;
    if (!tied(root, root, true)) model.unknown = "An albert whose head is not tied: no number is given rather than a guess.";
    if (name.ends_with("ForPreTraining"))
      model.add(Part::text, "", {linear_node("Sentence_Order", "sop_classifier.classifier", hidden, labels_of(root), true, Role::head)});
  }
  model.hidden = hidden;
  model.context = root.count("max_position_embeddings", 0);
  model.causal = false;
  return model;
}

constexpr std::string_view kTypes[] = {"albert"};

}  // namespace

extern const Family albert_family{"albert", kTypes, build};

}  // namespace modelwatch::estimator
