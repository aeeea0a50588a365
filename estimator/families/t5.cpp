#include "estimator/blocks/decoder.h"
#include "estimator/blocks/linear.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

Attention attention_of(const Config& c, std::string name) {
  Attention a{.name = std::move(name), .q = "q", .k = "k", .v = "v", .o = "o", .hidden = c.size("d_model"), .heads = c.size("num_heads"),
              .head_dim = c.size("d_kv"), .rotary = false};
  a.kv_heads = a.heads;
  return a;
}

/// "gated-gelu" has two input matrices, "relu" one.
Mlp mlp_of(const Config& c, const std::string& layer) {
  const std::string kind = c.word("feed_forward_proj", "relu");
  Mlp m{.name = layer + ".DenseReluDense", .gate = "wi_0", .up = "wi_1", .down = "wo", .hidden = c.size("d_model"), .inner = c.size("d_ff"),
        .gated = kind.starts_with("gated-"), .activation = "gelu"};
  if (!m.gated) m.up = "wi";
  return m;
}

/// Self attention, cross attention in the decoder, feed-forward; the first layer's attention has the relative positions.
void add_stack(Model& model, const Config& c, bool decoder, Count depth) {
  const std::string prefix = decoder ? "decoder." : "encoder.";
  const Part part = decoder ? Part::text : Part::encoder;
  const Count width = c.size("d_model");
  model.stack(
      part, prefix + "block.", depth, [](std::int64_t i) { return i == 0; },
      [&](std::int64_t i) {
        Branch self = branch(attention_of(c, "layer.0.SelfAttention"));
        if (i == 0)
          add_tensor(self.node.tensors, "layer.0.SelfAttention.relative_attention_bias.weight",
                     {c.size("relative_attention_num_buckets", 32), c.size("num_heads")}, Role::embedding);
        std::vector<Step> steps{{"layer.0.layer_norm", std::move(self)}};
        if (decoder) {
          Branch cross = branch(attention_of(c, "layer.1.EncDecAttention"));
          cross.node.row = "Cross_Attention_{}";
          cross.node.cache = {};
          steps.push_back({"layer.1.layer_norm", std::move(cross)});
        }
        const std::string last = decoder ? "layer.2" : "layer.1";
        steps.push_back({last + ".layer_norm", branch(mlp_of(c, last))});
        return residual_layer(NormStyle::rms, width, std::move(steps));
      });
  model.add(part, prefix, {norm_node("Final_RMSNorm", "final_layer_norm", width, NormStyle::rms, Stream::residual, 1)});
}

/// t5's published names keep the old spelling of the feed-forward; its head is tied in v1.0 and apart in v1.1.
Model build(const Config& root) {
  Model model;
  const std::string name = root.architecture();
  const Count width = root.size("d_model"), vocabulary = root.size("vocab_size"), depth = root.count("num_layers", 0);
  model.add(Part::text, "", {embedding_node("Embedding", "shared", vocabulary, width)});
  add_stack(model, root, false, depth);
  if (!name.ends_with("EncoderModel")) add_stack(model, root, true, root.count("num_decoder_layers", depth));
  if (name.empty() || name.ends_with("ForConditionalGeneration") || name.ends_with("WithLMHeadModel")) {
    Node head = linear_node("LM_Head", "lm_head", width, vocabulary, false, Role::head);
    model.tied_head = tied(root, root, root.type() == "t5");
    if (model.tied_head) {
      head.tensors.clear();
      model.tied.emplace_back("lm_head.weight", "shared.weight");
    }
    model.add(Part::text, "", {std::move(head)});
    model.vocabulary = vocabulary;
  } else if (!name.ends_with("Model")) {
    model.unknown = "No reading of the class " + name + ": no number is given rather than a guess.";
  }
  for (const char* side : {"encoder", "decoder"}) model.tied.emplace_back(std::string(side) + ".embed_tokens.weight", "shared.weight");
  model.hidden = width;
  return model;
}

constexpr std::string_view kTypes[] = {"t5", "mt5"};

}  // namespace

extern const Family t5_family{"t5", kTypes, build};

}  // namespace modelwatch::estimator
