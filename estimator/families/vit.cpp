#include "estimator/blocks/decoder.h"
#include "estimator/blocks/linear.h"
#include "estimator/blocks/vision.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// Image encoders alone: vit with a pooler or a classifier, the towers of clip and siglip with or without projection.
Model tower(const Config& root) {
  Model model;
  const bool clip = root.type() == "clip_vision_model";
  const Count width = add_clip_vision(model, "vision_model.", root, {.class_token = clip, .pooling_head = !clip && root.flag("vision_use_head", true)});
  if (root.architecture().ends_with("WithProjection"))
    model.add(Part::vision, "", {linear_node("Projection", "visual_projection", width, root.size("projection_dim"), false)});
  return model;
}

Model vit(const Config& root) {
  Model model;
  const std::string name = root.architecture();
  const bool base = name.ends_with("Model");
  const std::string prefix = base ? "" : "vit.";
  const Count width = root.size("hidden_size"), patch = root.size("patch_size"), side = root.size("image_size") / patch;
  std::vector<Tensor> stem;
  add_tensor(stem, "embeddings.cls_token", {1, 1, width});
  add_tensor(stem, "embeddings.position_embeddings", {1, side * side + 1, width}, Role::embedding);
  add_tensor(stem, "embeddings.patch_embeddings.projection.weight", {width, root.size("num_channels"), patch, patch});
  add_tensor(stem, "embeddings.patch_embeddings.projection.bias", {width}, Role::bias);
  model.add(Part::vision, prefix, {vision_node("PatchEmbed", "Patch Embed", width, std::move(stem))});
  Attention a{.name = "attention", .q = "attention.query", .k = "attention.key", .v = "attention.value", .o = "output.dense",
              .hidden = width, .heads = root.size("num_attention_heads"), .rotary = false};
  a.kv_heads = a.heads;
  a.head_dim = width / a.heads;
  a.qkv_bias(root.flag("qkv_bias", true));
  a.o_bias = true;
  const Mlp m{.name = "", .up = "intermediate.dense", .down = "output.dense", .hidden = width, .inner = root.size("intermediate_size"),
              .gated = false, .up_bias = true, .down_bias = true, .activation = "gelu"};
  const LayerNorms norms{.before_mixer = "layernorm_before", .before_ffn = "layernorm_after", .style = NormStyle::layer};
  model.stack(
      Part::vision, prefix + "encoder.layer.", root.count("num_hidden_layers", 0), [](std::int64_t) { return 0; },
      [&](std::int64_t) { return vision_layer(norms, width, a, m); });
  model.add(Part::vision, prefix, {norm_node("Vision_Norm", "layernorm", width, NormStyle::layer, Stream::residual, 0)});
  if (base) {
    const Count pooled = root.size("pooler_output_size", width);
    model.add(Part::vision, prefix, {linear_node("Pooler", "pooler.dense", width, pooled, true)});
  } else if (name.ends_with("ForImageClassification")) {
    model.add(Part::vision, "", {linear_node("Classifier", "classifier", width, labels_of(root), true, Role::head)});
  } else {
    model.unknown = "No reading of the class " + name + ": no number is given rather than a guess.";
  }
  return model;
}

Model build(const Config& root) {
  Model model = root.type() == "vit" ? vit(root) : tower(root);
  model.hidden = root.size("hidden_size");
  model.causal = false;
  return model;
}

constexpr std::string_view kTypes[] = {"vit", "clip_vision_model", "siglip_vision_model"};

}  // namespace

extern const Family vit_family{"vit", kTypes, build};

}  // namespace modelwatch::estimator
