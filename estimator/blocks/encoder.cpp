#include "estimator/blocks/encoder.h"

#include "estimator/blocks/linear.h"

namespace modelwatch::estimator {
namespace {

bool ends(const std::string& name, std::string_view end) { return name.ends_with(end); }

/// The language-model head: dense, norm, a bias of the vocabulary; the decoder shares the word table.
void add_lm_head(Model& model, const Encoder& e, const EncoderHeads& h, bool decoder_tied, std::vector<Node> more) {
  const Count in = e.hidden;
  const Count width = h.width ? h.width : in;
  std::vector<Node> nodes;
  if (!h.dense.empty()) nodes.push_back(linear_node("LM_Transform", h.dense, in, width, true));
  if (!h.norm.empty()) nodes.push_back(norm_node("LM_Norm", h.norm, width, NormStyle::layer, Stream::branch, 1));
  Node head;
  head.kind = NodeKind::linear;
  head.row = "LM_Head";
  head.label = "Linear";
  head.width = e.vocabulary;
  const std::string table = e.prefix + e.words + ".weight";
  if (decoder_tied) {
    model.tied.emplace_back(h.decoder + ".weight", table);
  } else {
    add_tensor(head.tensors, h.decoder + ".weight", {e.vocabulary, width}, Role::head);
  }
  // The bias is held beside the decoder and shared with it: tying is of both or of neither.
  if (!h.bias.empty()) {
    add_tensor(head.tensors, h.bias, {e.vocabulary}, Role::bias);
    if (h.bias != h.decoder + ".bias") {
      if (decoder_tied) {
        model.tied.emplace_back(h.decoder + ".bias", h.bias);
      } else {
        add_tensor(head.tensors, h.decoder + ".bias", {e.vocabulary}, Role::bias);
      }
    }
  }
  nodes.push_back(std::move(head));
  for (Node& node : more) nodes.push_back(std::move(node));
  model.add(Part::text, "", std::move(nodes));
  model.vocabulary = e.vocabulary;
  model.tied_head = decoder_tied;
}

void add_classifier(Model& model, const Encoder& e, Count labels, bool dense) {
  std::vector<Node> nodes;
  if (dense) {
    nodes.push_back(linear_node("Classifier_Dense", "classifier.dense", e.hidden, e.hidden, true));
    nodes.push_back(linear_node("Classifier", "classifier.out_proj", e.hidden, labels, true, Role::head));
  } else {
    nodes.push_back(linear_node("Classifier", "classifier", e.hidden, labels, true, Role::head));
  }
  model.add(Part::text, "", std::move(nodes));
}

}  // namespace

Encoder bert_like(const Config& c) {
  Encoder e;
  e.hidden = c.size("hidden_size");
  e.vocabulary = c.size("vocab_size");
  e.depth = c.count("num_hidden_layers", 0);
  e.position_rows = c.count("max_position_embeddings", 0);
  e.type_rows = c.count("type_vocab_size", 0);
  Attention& a = e.attention;
  a.name = "attention", a.q = "self.query", a.k = "self.key", a.v = "self.value", a.o = "output.dense";
  a.bias(true);
  a.rotary = false;
  a.hidden = e.hidden;
  a.heads = a.kv_heads = c.size("num_attention_heads");
  a.head_dim = e.hidden / a.heads;
  e.mlp = Mlp{.name = "", .up = "intermediate.dense", .down = "output.dense", .hidden = e.hidden,
              .inner = c.size("intermediate_size"), .gated = false, .up_bias = true, .down_bias = true,
              .activation = c.word("hidden_act", "gelu")};
  e.norms = LayerNorms{.before_mixer = "", .after_mixer = "attention.output.LayerNorm", .before_ffn = "",
                       .after_ffn = "output.LayerNorm", .style = NormStyle::layer, .after_add = true};
  return e;
}

void add_encoder(Model& model, const Encoder& e, bool base, bool pooled) {
  const std::string prefix = base ? std::string() : e.prefix;
  const Count width = e.embedding_width ? e.embedding_width : e.hidden;
  std::vector<Node> first{embedding_node("Embedding", e.words, e.vocabulary, width)};
  if (e.position_rows) first.push_back(embedding_node("Positions", e.positions, e.position_rows, width));
  if (e.type_rows) first.push_back(embedding_node("Types", e.types, e.type_rows, width));
  if (!e.embedding_norm.empty())
    first.push_back(norm_node("Embedding_Norm", e.embedding_norm, width, NormStyle::layer, Stream::residual, 0));
  first.insert(first.end(), e.extras.begin(), e.extras.end());
  model.add(Part::text, prefix, std::move(first));
  model.stack(
      Part::text, prefix + e.layers + ".", e.depth, [](std::int64_t) { return 0; },
      [&](std::int64_t) {
        Branch attention = branch(e.attention);
        if (e.in_layer) e.in_layer(attention.node);
        return decoder_layer(e.norms, e.hidden, std::move(attention), branch(e.mlp));
      });
  if (e.after_layers) e.after_layers(model, prefix);
  if (!e.final_norm.empty())
    model.add(Part::text, prefix, {norm_node("Final_LayerNorm", e.final_norm, e.hidden, NormStyle::layer, Stream::residual, 0)});
  if (pooled) model.add(Part::text, prefix, {linear_node("Pooler", e.pooler, e.hidden, e.hidden, true)});
  model.hidden = e.hidden;
  model.causal = false;
}

Model encoder_model(const Config& root, Encoder e, const EncoderHeads& h) {
  Model model;
  const std::string name = root.architecture();
  const bool base = ends(name, "Model") && !ends(name, "LMHeadModel");
  const bool classifies = ends(name, "ForSequenceClassification");
  const bool pretraining = ends(name, "ForPreTraining");
  const bool next = ends(name, "ForNextSentencePrediction");
  const bool choice = ends(name, "ForMultipleChoice");
  const bool pooled = !e.pooler.empty() && (e.always_pooled || base || pretraining || next || choice || (classifies && !h.classifier_dense));
  add_encoder(model, e, base, pooled);
  if (classifies) {
    add_classifier(model, e, labels_of(root), h.classifier_dense);
  } else if (ends(name, "ForTokenClassification")) {
    add_classifier(model, e, labels_of(root), false);
  } else if (choice) {
    add_classifier(model, e, 1, false);
  } else if (ends(name, "ForQuestionAnswering")) {
    model.add(Part::text, "", {linear_node("Span", "qa_outputs", e.hidden, labels_of(root), true, Role::head)});
  } else if (next) {
    model.add(Part::text, "", {linear_node("Next_Sentence", "cls.seq_relationship", e.hidden, 2, true, Role::head)});
  } else if (!base) {
    std::vector<Node> more;
    if (pretraining) more.push_back(linear_node("Next_Sentence", "cls.seq_relationship", e.hidden, 2, true, Role::head));
    add_lm_head(model, e, h, tied(root, root, true), std::move(more));
  }
  model.context = root.count("max_position_embeddings", 0);
  return model;
}

}  // namespace modelwatch::estimator
