#include "estimator/blocks/seq2seq.h"

#include "estimator/blocks/linear.h"

namespace modelwatch::estimator {
namespace {

Attention attention_of(const Config& c, Count width, Count heads, std::string name, const Bart& b) {
  (void)c;
  Attention a{.name = std::move(name), .o = "out_proj", .hidden = width, .heads = heads, .kv_heads = heads, .head_dim = width / heads,
              .rotary = false};
  a.bias(true);
  a.k_bias = b.k_bias;
  return a;
}

void add_head(Model& model, Count hidden, Count vocabulary, const std::string& table, bool tied) {
  Node head = linear_node("LM_Head", "lm_head", hidden, vocabulary, false, Role::head);
  if (tied) {
    head.tensors.clear();
    model.tied.emplace_back("lm_head.weight", table);
  }
  model.add(Part::text, "", {std::move(head)});
  model.hidden = hidden;
  model.vocabulary = vocabulary;
  model.tied_head = tied;
}

}  // namespace

void add_bart_stack(Model& model, const Config& c, const std::string& prefix, bool decoder, const Bart& b, std::vector<Node> stem) {
  const std::string side = decoder ? "decoder" : "encoder";
  const Part part = decoder ? Part::text : Part::encoder;
  const Count width = c.size("d_model"), heads = c.size(side + "_attention_heads");
  if (b.embedding_norm) stem.push_back(norm_node("Embedding_Norm", "layernorm_embedding", width, NormStyle::layer, Stream::residual, 0));
  if (!stem.empty()) model.add(part, prefix, std::move(stem));
  const Attention self = attention_of(c, width, heads, "self_attn", b);
  Attention cross = attention_of(c, width, heads, "encoder_attn", b);
  const Mlp mlp{.name = "", .up = "fc1", .down = "fc2", .hidden = width, .inner = c.size(side + "_ffn_dim"), .gated = false,
                .up_bias = true, .down_bias = true, .activation = c.word("activation_function", "gelu")};
  model.stack(
      part, prefix + "layers.", c.count(side + "_layers", 0), [](std::int64_t) { return 0; },
      [&](std::int64_t) {
        std::vector<Step> steps{{"self_attn_layer_norm", branch(self)}};
        if (decoder) {
          Branch over = branch(cross);
          over.node.row = "Cross_Attention_{}";
          over.node.cache = {};  // grows with the encoder's length, not with the decoder's
          steps.push_back({"encoder_attn_layer_norm", std::move(over)});
        }
        steps.push_back({"final_layer_norm", branch(mlp)});
        return residual_layer(NormStyle::layer, width, std::move(steps), !b.before);
      });
  if (b.final_norm) model.add(part, prefix, {norm_node("Final_LayerNorm", "layer_norm", width, NormStyle::layer, Stream::residual, 1)});
}

Model bart_decoder(const Config& root, const Bart& b) {
  Model model;
  const Count width = root.size("d_model"), vocabulary = root.size("vocab_size");
  std::vector<Node> stem{embedding_node("Embedding", "embed_tokens", vocabulary, width)};
  model.context = root.count("max_position_embeddings", root.count("max_target_positions", 0));
  if (b.positions) stem.push_back(embedding_node("Positions", "embed_positions", model.context + b.position_offset, width));
  add_bart_stack(model, root, "model.decoder.", true, b, std::move(stem));
  add_head(model, width, vocabulary, "model.decoder.embed_tokens.weight", tied(root, root, true));
  return model;
}

Model bart_model(const Config& root, const Bart& b) {
  Model model;
  const bool base = head_of(root) == Head::base;
  const std::string prefix = base ? "" : "model.";
  const Count width = root.size("d_model"), vocabulary = root.size("vocab_size");
  model.context = root.count("max_position_embeddings", 0);
  model.add(Part::text, prefix, {embedding_node("Embedding", "shared", vocabulary, width)});
  const auto stem = [&] {
    std::vector<Node> nodes;
    if (b.positions) nodes.push_back(embedding_node("Positions", "embed_positions", model.context + b.position_offset, width));
    return nodes;
  };
  add_bart_stack(model, root, prefix + "encoder.", false, b, stem());
  add_bart_stack(model, root, prefix + "decoder.", true, b, stem());
  const bool shared = tied(root, root, true);
  if (!base) {
    add_head(model, width, vocabulary, prefix + "shared.weight", shared);
    Node bias;
    bias.row = "Logits_Bias", bias.label = "Bias", bias.width = vocabulary;
    add_tensor(bias.buffers, "final_logits_bias", {1, vocabulary});
    model.add(Part::text, "", {std::move(bias)});
  }
  for (const char* side : {"encoder", "decoder"}) model.tied.emplace_back(prefix + side + ".embed_tokens.weight", prefix + "shared.weight");
  if (!shared) model.unknown = "An encoder-decoder whose tables are not shared: no number is given rather than a guess.";
  return model;
}

}  // namespace modelwatch::estimator
