#include "estimator/blocks/delta.h"
#include "estimator/blocks/layer_types.h"
#include "estimator/blocks/linear.h"
#include "estimator/blocks/mtp.h"
#include "estimator/blocks/vision.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

struct Blocks {
  LlamaLike parts;
  GatedDelta delta;
  Moe moe;
  bool sparse = false;

  Branch feed_forward() const { return sparse ? branch(moe) : branch(parts.mlp); }
  std::vector<Node> attention_layer() const {
    return decoder_layer(parts.norms, parts.shell.hidden, branch(parts.attention), feed_forward());
  }
  std::vector<Node> delta_layer() const {
    return decoder_layer(parts.norms, parts.shell.hidden, {gated_delta_node(delta), input_readers(delta)}, feed_forward());
  }
};

Blocks read_blocks(const Config& text) {
  Blocks b;
  b.sparse = text.type().find("moe") != std::string::npos;
  b.parts = b.sparse ? llama_like_without_mlp(text) : llama_like(text);
  Attention& a = b.parts.attention;
  a.bias(text.flag("attention_bias"));
  a.qk_norm = QkNorm::head;
  a.qk_style = b.parts.shell.style = b.parts.norms.style = NormStyle::rms_plus;
  a.gate = true;
  a.concatenated = true;
  b.parts.shell.rotary_width = rotary_width(text, a.head_dim, 0.25);
  b.delta.hidden = a.hidden;
  b.delta.key_heads = text.size("linear_num_key_heads");
  b.delta.value_heads = text.size("linear_num_value_heads");
  b.delta.key_dim = text.size("linear_key_head_dim");
  b.delta.value_dim = text.size("linear_value_head_dim");
  b.delta.kernel = text.size("linear_conv_kernel_dim");
  if (b.sparse) {
    b.moe.layout = Experts::fused;
    b.moe.hidden = a.hidden;
    b.moe.inner = text.size("moe_intermediate_size");
    b.moe.count = text.size("num_experts");
    b.moe.active = text.size("num_experts_per_tok");
    b.moe.shared = Mlp{.name = "shared_expert", .hidden = a.hidden, .inner = text.size("shared_expert_intermediate_size")};
    b.moe.shared_gate = "shared_expert_gate";
  }
  return b;
}

/// mtp.*: one attention layer, whatever the pattern of the others, between a projection and a norm of its own.
void add_mtp_modules(Model& model, const Blocks& b, Count modules) {
  if (!modules) return;
  const Count d = b.parts.shell.hidden;
  std::vector<Node> first;
  first.push_back(norm_node("MTP_{}_HiddenNorm", "pre_fc_norm_hidden", d, NormStyle::rms_plus, Stream::residual, 0));
  first.push_back(norm_node("MTP_{}_EmbeddingNorm", "pre_fc_norm_embedding", d, NormStyle::rms_plus, Stream::residual, 0));
  first.push_back(concat_node(d));
  first.push_back(linear_node("MTP_{}_Projection", "fc", 2 * d, d, false));
  model.add(Part::mtp, "mtp.", std::move(first));
  model.stack(
      Part::mtp, "mtp.layers.", min(modules, 64), [](std::int64_t) { return 0; },
      [&](std::int64_t) { return b.attention_layer(); });
  model.add(Part::mtp, "mtp.", {norm_node("MTP_{}_Norm", "norm", d, NormStyle::rms_plus, Stream::residual, 1)});
}

/// Gated DeltaNet in three of four layers, gated attention in the fourth; qwen3_5 and qwen3_5_moe with an image tower,
/// their _text types without.
Model build(const Config& root) {
  const Config text = root.text();
  const bool with_vision = root.type() == "qwen3_5" || root.type() == "qwen3_5_moe";
  Blocks b = read_blocks(text);
  Shell& shell = b.parts.shell;
  if (with_vision) shell.prefix = "model.language_model.";
  const std::int64_t interval = text.size("full_attention_interval", 4).value();
  const LayerTypes types(text, shell.depth,
                         [&](std::int64_t i) { return (i + 1) % interval ? "linear_attention" : "full_attention"; });
  shell.kind_of = [&](std::int64_t i) { return types.is(i, "linear_attention"); };
  shell.build = [&](std::int64_t i) { return shell.kind_of(i) ? b.delta_layer() : b.attention_layer(); };
  Model model;
  if (with_vision)
    add_qwen_vision(model, "model.visual.", root.part("vision_config"),
                    {.position_table = true, .up = "linear_fc1", .down = "linear_fc2"});
  add_text(model, root, text, b.parts);
  add_mtp_modules(model, b, text.count("mtp_num_hidden_layers", 0));
  return model;
}

constexpr std::string_view kTypes[] = {"qwen3_5", "qwen3_5_text", "qwen3_5_moe", "qwen3_5_moe_text"};

}  // namespace

extern const Family qwen3_5_family{"qwen3_5", kTypes, build};

}  // namespace modelwatch::estimator
