#include "estimator/blocks/decoder.h"

#include <utility>

#include "estimator/blocks/linear.h"

namespace modelwatch::estimator {
namespace {

/// Beyond it a node table is no answer any more.
constexpr std::int64_t kMostLayers = 100'000;

Node add_node(std::string row, Count width) {
  Node node;
  node.kind = NodeKind::add;
  node.row = std::move(row);
  node.label = "Add";
  node.width = width;
  return node;
}

/// Builds the rows of a layer, numbering its norms.
class LayerRows {
 public:
  LayerRows(NormStyle style, Count hidden) : style_(style), hidden_(hidden) {}

  void norm(const std::string& name, Stream stream, Count readers) {
    if (name.empty()) return;
    const std::string stem(norm_label(style_));
    rows_.push_back(norm_node(stem + "_{}_" + std::to_string(++norms_), name, hidden_, style_, stream, readers));
  }
  /// A branch that reads the residual itself keeps the casts a norm would have kept.
  void branch(Branch b, bool normed) {
    if (!normed) b.node.saved += Saved{b.readers * 2 * hidden_, b.readers * 2 * hidden_, 2 * hidden_, 4 * hidden_};
    rows_.push_back(std::move(b.node));
  }
  void add(std::string row) { rows_.push_back(add_node(std::move(row), hidden_)); }
  std::vector<Node> take() { return std::move(rows_); }

 private:
  NormStyle style_;
  Count hidden_;
  int norms_ = 0;
  std::vector<Node> rows_;
};

}  // namespace

Branch branch(const Attention& a) { return {attention_node(a), input_readers(a)}; }
Branch branch(const LatentAttention& a) { return {latent_attention_node(a), 2}; }
Branch branch(const Mlp& m) { return {mlp_node(m), input_readers(m)}; }
Branch branch(const Moe& m) { return {moe_node(m), 0}; }

std::vector<Node> decoder_layer(const LayerNorms& n, Count hidden, Branch mixer, Branch ffn) {
  LayerRows rows(n.style, hidden);
  const bool shared_norm = n.parallel && n.before_ffn.empty();
  rows.norm(n.before_mixer, Stream::residual, mixer.readers + (shared_norm ? ffn.readers : Count(0)));
  rows.branch(std::move(mixer), !n.before_mixer.empty());
  if (!n.after_add) rows.norm(n.after_mixer, Stream::branch, 0);
  if (!n.parallel) rows.add("Add_{}_attn");
  if (n.after_add) rows.norm(n.after_mixer, Stream::residual, 0);
  rows.norm(n.before_ffn, Stream::residual, ffn.readers);
  rows.branch(std::move(ffn), !n.before_ffn.empty() || shared_norm);
  if (!n.after_add) rows.norm(n.after_ffn, Stream::branch, 0);
  rows.add(n.parallel ? "Add_{}" : "Add_{}_ffn");
  if (n.after_add) rows.norm(n.after_ffn, Stream::residual, 0);
  return rows.take();
}

std::vector<Node> single_layer(const std::string& norm, NormStyle style, Count hidden, Branch mixer) {
  LayerRows rows(style, hidden);
  rows.norm(norm, Stream::residual, mixer.readers);
  rows.branch(std::move(mixer), true);
  rows.add("Add_{}");
  return rows.take();
}

std::vector<Node> residual_layer(NormStyle style, Count hidden, std::vector<Step> steps, bool after_add) {
  LayerRows rows(style, hidden);
  int number = 0;
  for (Step& step : steps) {
    const bool before = !after_add && !step.norm.empty();
    if (before) rows.norm(step.norm, Stream::residual, step.branch.readers);
    rows.branch(std::move(step.branch), before);
    rows.add("Add_{}_" + std::to_string(++number));
    if (after_add) rows.norm(step.norm, Stream::residual, 0);
  }
  return rows.take();
}

Head head_of(const Config& root) {
  const std::string name = root.architecture();
  const auto ends = [&](std::string_view end) { return name.ends_with(end); };
  if (ends("ForSequenceClassification")) return Head::sequence_classification;
  if (ends("ForTokenClassification")) return Head::token_classification;
  if (ends("ForQuestionAnswering")) return Head::question_answering;
  // Remote code names its classes as it likes: what loads without it is the causal model.
  if (ends("Model") && !ends("LMHeadModel") && !root.raw("auto_map")) return Head::base;
  return Head::causal;
}

Count labels_of(const Config& root) {
  if (const auto labels = root.maybe("num_labels")) return *labels;
  const json::Value* names = root.raw("id2label");
  if (names && names->object()) return static_cast<std::int64_t>(names->object()->size());
  return 2;
}

Node embedding_node(std::string row, std::string_view name, Count rows, Count width) {
  Node node;
  node.kind = NodeKind::embedding;
  node.row = std::move(row);
  node.label = "Embedding";
  node.width = width;
  add_tensor(node.tensors, joined(name, "weight"), {rows, width}, Role::embedding);
  return node;
}

Node linear_node(std::string row, std::string_view name, Count in, Count out, bool bias, Role role) {
  Node node;
  node.kind = NodeKind::linear;
  node.row = std::move(row);
  node.label = "Linear";
  node.width = out;
  add_linear(node.tensors, name, in, out, bias, role);
  return node;
}

void add_decoder(Model& model, const Shell& s, Head head, Count labels) {
  const std::string prefix = head == Head::base ? std::string() : s.prefix;
  const Count table = s.table_width ? s.table_width : s.hidden;
  std::vector<Node> first{embedding_node("Embedding", s.embedding, s.vocabulary + s.extra_rows, table)};
  first.insert(first.end(), s.extras.begin(), s.extras.end());
  if (s.rotary) {
    Node& rope = first.emplace_back();
    rope.kind = NodeKind::rope;
    rope.row = rope.label = "RoPE";
    rope.width = s.hidden;
  }
  model.add(s.part, prefix, std::move(first));
  model.stack(s.part, prefix + joined(s.layers, ""), s.depth, s.kind_of, s.build).prefix += '.';
  std::vector<Node> last;
  if (!s.norm.empty()) {
    const Count readers = head == Head::base ? 0 : 1;
    last.push_back(norm_node("Final_" + std::string(norm_label(s.style)), s.norm, s.hidden, s.style, Stream::residual, readers));
    last.back().saved.lora = norm_saved(s.style, Stream::residual, s.hidden, 0).lora;  // a frozen head keeps no input
  }
  last.insert(last.end(), s.before_head.begin(), s.before_head.end());
  if (!last.empty()) model.add(s.part, prefix, std::move(last));

  if (head == Head::causal) {
    Node node = linear_node("LM_Head", s.head, table, s.vocabulary, s.head_bias, Role::head);
    if (s.tied) {
      model.tied.emplace_back(joined(s.head, "weight"), prefix + joined(s.embedding, "weight"));
      node.tensors.erase(node.tensors.begin());
    }
    model.add(s.part, "", {std::move(node)});
  } else if (head == Head::sequence_classification) {
    model.add(s.part, "", {linear_node("Classifier", "score", s.hidden, labels, false, Role::head)});
  } else if (head == Head::token_classification) {
    model.add(s.part, "", {linear_node("Classifier", "score", s.hidden, labels, true, Role::head)});
  } else if (head == Head::question_answering) {
    model.add(s.part, "", {linear_node("Span", "qa_outputs", s.hidden, 2, true, Role::head)});
  }
  model.hidden = s.hidden;
  model.vocabulary = head == Head::causal ? s.vocabulary : Count(0);
  model.tied_head = head == Head::causal && s.tied;
  model.soft_capped = s.soft_capped;
  if (s.rotary) model.rotary = s.rotary_width;
}

bool tied(const Config& root, const Config& text, bool fallback) {
  constexpr std::string_view key = "tie_word_embeddings";
  for (const Config* config : {&root, &text})
    if (const json::Value* written = config->raw(key); written && !written->is_null()) return config->flag(key);
  return root.flag(key, text.flag(key, fallback));
}

Count rotary_width(const Config& text, Count head_dim, double default_factor) {
  double factor = text.real("partial_rotary_factor", -1);
  if (const json::Value* rope = text.raw("rope_parameters"); factor < 0 && rope && rope->is_object())
    if (const json::Value* nested = rope->find("partial_rotary_factor"); nested && nested->real()) factor = *nested->real();
  if (factor < 0) factor = text.real("rotary_pct", default_factor);
  if (!(factor > 0 && factor < 1)) return head_dim;
  return static_cast<std::int64_t>(head_dim.real() * factor);
}

LlamaLike llama_like_without_mlp(const Config& text) {
  LlamaLike p;
  p.shell.hidden = text.size("hidden_size");
  p.shell.vocabulary = text.size("vocab_size");
  p.shell.depth = text.count("num_hidden_layers", 0);
  if (p.shell.depth > Count(kMostLayers)) {
    text.refuse("num_hidden_layers", "more than " + std::to_string(kMostLayers) + " layers");
    p.shell.depth = 0;
  }
  Attention& a = p.attention;
  a.hidden = p.shell.hidden;
  a.heads = text.size("num_attention_heads");
  a.kv_heads = text.size("num_key_value_heads", a.heads);
  a.head_dim = text.size("head_dim", a.hidden / a.heads);
  p.shell.rotary_width = rotary_width(text, a.head_dim);
  return p;
}

LlamaLike llama_like(const Config& text) {
  LlamaLike p = llama_like_without_mlp(text);
  p.mlp.hidden = p.shell.hidden;
  p.mlp.inner = text.size("intermediate_size");
  p.mlp.activation = text.word("hidden_act", "silu");
  return p;
}

void set_layers(LlamaLike& p, std::function<std::int64_t(std::int64_t)> kind, std::function<Branch(std::int64_t)> mixer,
                std::function<Branch(std::int64_t)> ffn) {
  p.shell.kind_of = std::move(kind);
  p.shell.build = [&p, mixer = std::move(mixer), ffn = std::move(ffn)](std::int64_t i) {
    return decoder_layer(p.norms, p.shell.hidden, mixer(i), ffn(i));
  };
}

void add_text(Model& model, const Config& root, const Config& text, LlamaLike& p) {
  model.context = text.count("max_position_embeddings", 0);
  if (!p.shell.build)
    p.shell.build = [&p](std::int64_t) { return decoder_layer(p.norms, p.shell.hidden, branch(p.attention), branch(p.mlp)); };
  p.shell.tied = tied(root, text, p.shell.tied);
  add_decoder(model, p.shell, head_of(root), labels_of(root));
}

Model causal_lm(const Config& root, const Config& text, LlamaLike p) {
  Model model;
  add_text(model, root, text, p);
  return model;
}

}  // namespace modelwatch::estimator
