#include "estimator/blocks/layer_types.h"
#include "estimator/blocks/linear.h"
#include "estimator/blocks/vision.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// The projector keeps its matrix as a bare parameter [D_vision, D].
void add_projector(Model& model, Count vision, Count hidden) {
  Node node;
  node.row = "Projector";
  node.label = "Linear";
  node.width = hidden;
  add_tensor(node.tensors, "mm_input_projection_weight", {vision, hidden}, Role::other);
  add_norm(node.tensors, "mm_soft_emb_norm", vision, NormStyle::rms_plus);
  model.add(Part::projector, "multi_modal_projector.", {std::move(node)});
}

/// Norms on both sides of each branch and on q and k; five sliding layers, then a full one. gemma3 has a siglip tower.
Model build(const Config& root) {
  const bool with_vision = root.type() == "gemma3";
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  Shell& shell = p.shell;
  shell.style = p.norms.style = p.attention.qk_style = NormStyle::rms_plus;
  shell.tied = true;
  p.attention.bias(text.flag("attention_bias"));
  p.attention.qk_norm = QkNorm::head;
  p.mlp.activation = "gelu_pytorch_tanh";
  p.norms.after_mixer = "post_attention_layernorm";
  p.norms.before_ffn = "pre_feedforward_layernorm";
  p.norms.after_ffn = "post_feedforward_layernorm";
  shell.soft_capped = text.real("final_logit_softcapping", 0) > 0;
  const std::int64_t pattern = text.size("sliding_window_pattern", 6).value();
  const LayerTypes types(text, shell.depth,
                         [&](std::int64_t i) { return (i + 1) % pattern ? "sliding_attention" : "full_attention"; });
  const Count window = text.count("sliding_window", 0);
  shell.kind_of = [&](std::int64_t i) { return types.is(i, "sliding_attention"); };
  shell.build = [&](std::int64_t i) {
    p.attention.window = shell.kind_of(i) ? window : Count(0);
    return decoder_layer(p.norms, shell.hidden, branch(p.attention), branch(p.mlp));
  };
  Model model;
  if (with_vision) {
    const Config vision = root.part("vision_config", "siglip_vision_model");
    const bool pooled = vision.flag("vision_use_head", true);
    add_projector(model, add_clip_vision(model, "vision_tower.vision_model.", vision, {.class_token = false, .pooling_head = pooled}),
                  shell.hidden);
    shell.prefix = "language_model.model.";
    shell.head = "language_model.lm_head";
  }
  add_text(model, root, text, p);
  return model;
}

constexpr std::string_view kTypes[] = {"gemma3", "gemma3_text"};

}  // namespace

extern const Family gemma3_family{"gemma3", kTypes, build};

}  // namespace modelwatch::estimator
