#include "estimator/blocks/vision.h"

#include "estimator/blocks/linear.h"

namespace modelwatch::estimator {
namespace {

Node on_merged(Node node) {
  node.merged = true;
  return node;
}

constexpr std::int64_t kAssumedImage = 224;  // where a tower takes any resolution

/// norm over the patch width, or over the merged one, then two matrices at merge²·D.
void add_merger(Model& model, const std::string& prefix, Count width, Count merged, Count out, bool norm_after) {
  std::vector<Tensor> tensors;
  add_norm(tensors, "norm", norm_after ? merged : width, NormStyle::layer);
  add_linear(tensors, "linear_fc1", merged, merged, true);
  add_linear(tensors, "linear_fc2", merged, out, true);
  model.add(Part::vision, prefix, {on_merged(vision_node("Vision_Merger", "Patch Merger", out, std::move(tensors)))});
}

void add_old_merger(Model& model, const std::string& prefix, Count width, Count merged, Count out, NormStyle style) {
  std::vector<Tensor> tensors;
  add_norm(tensors, "ln_q", width, style);
  add_linear(tensors, "mlp.0", merged, merged, true);
  add_linear(tensors, "mlp.2", merged, out, true);
  model.add(Part::vision, prefix, {on_merged(vision_node("Vision_Merger", "Patch Merger", out, std::move(tensors)))});
}

}  // namespace

Node vision_node(std::string row, std::string label, Count width, std::vector<Tensor> tensors) {
  Node node;
  node.row = std::move(row);
  node.label = std::move(label);
  node.width = width;
  node.tensors = std::move(tensors);
  return node;
}

std::vector<Node> vision_layer(const LayerNorms& norms, Count width, const Attention& attention, const Mlp& mlp) {
  std::vector<Node> layer = decoder_layer(norms, width, branch(attention), branch(mlp));
  for (Node& node : layer) node.row = "Vision_" + node.row;
  return layer;
}

void add_qwen_vision(Model& model, const std::string& prefix, const Config& v, const QwenVision& style) {
  const bool second = v.type() == "qwen2_vl_vision";  // calls its width embed_dim, and what it hands over hidden_size
  const Count width = v.size(second ? "embed_dim" : "hidden_size");
  const Count out = v.size(second ? "hidden_size" : "out_hidden_size");
  const Count patch = v.size("patch_size"), merge = v.size("spatial_merge_size"), merged = width * merge * merge;
  model.vision = {kAssumedImage, (Count(kAssumedImage) / patch) * (Count(kAssumedImage) / patch), 0};
  model.vision.tokens = model.vision.patches / (merge * merge);
  std::vector<Tensor> stem, positions;
  add_tensor(stem, "patch_embed.proj.weight", {width, v.size("in_channels"), v.size("temporal_patch_size"), patch, patch});
  if (style.position_table) {
    add_tensor(stem, "patch_embed.proj.bias", {width}, Role::bias);
    add_tensor(positions, "pos_embed.weight", {v.size("num_position_embeddings"), width}, Role::embedding);
  }
  model.add(Part::vision, prefix, {vision_node("PatchEmbed", "Patch Embed", width, std::move(stem))});
  if (style.position_table)
    model.add(Part::vision, prefix, {vision_node("Patch_Position_Embedding", "Learned Pos Embed", width, std::move(positions))});

  Attention a{.name = "attn", .o = "proj", .fused = "qkv", .hidden = width, .heads = v.size("num_heads")};
  a.kv_heads = a.heads;
  a.head_dim = width / a.heads;
  a.bias(true);
  Mlp m{.up = style.up, .down = style.down, .hidden = width, .gated = style.gated, .up_bias = true, .down_bias = true,
        .activation = "gelu"};
  m.inner = second ? static_cast<std::int64_t>(width.real() * v.real("mlp_ratio", 4)) : v.size("intermediate_size").value();
  if (style.gated) m.up = "up_proj", m.down = "down_proj", m.activation = "silu";
  const LayerNorms norms{.before_mixer = "norm1", .before_ffn = "norm2", .style = style.gated ? NormStyle::rms : NormStyle::layer};
  model.stack(
      Part::vision, prefix + "blocks.", v.count("depth", 0), [](std::int64_t) { return 0; },
      [&](std::int64_t) { return vision_layer(norms, width, a, m); });

  if (!style.position_table) return add_old_merger(model, prefix + "merger.", width, merged, out, norms.style);
  add_merger(model, prefix + "merger.", width, merged, out, false);
  const std::size_t deep = v.counts("deepstack_visual_indexes").size();
  for (std::size_t i = 0; i < deep && i < 64; ++i)
    add_merger(model, prefix + "deepstack_merger_list." + std::to_string(i) + ".", width, merged, out, true);
}

Count add_clip_vision(Model& model, const std::string& prefix, const Config& v, const ClipVision& style) {
  const Count width = v.size("hidden_size"), patch = v.size("patch_size"), channels = v.count("num_channels", 3);
  std::vector<Tensor> stem;
  if (style.class_token) add_tensor(stem, "embeddings.class_embedding", {width});
  add_tensor(stem, "embeddings.patch_embedding.weight",
             style.flat_patches ? Shape{width, channels * patch * patch} : Shape{width, channels, patch, patch});
  if (!style.class_token) add_tensor(stem, "embeddings.patch_embedding.bias", {width}, Role::bias);
  const Count side = style.flat_patches ? Count(0) : v.size("image_size") / patch;
  model.vision = {style.flat_patches ? Count(0) : v.size("image_size"), side * side, side * side};
  const Count rows = style.flat_patches ? v.size("num_patches") : side * side + (style.class_token ? 1 : 0);
  add_tensor(stem, "embeddings.position_embedding.weight", {rows, width}, Role::embedding);
  if (style.class_token) add_norm(stem, "pre_layrnorm", width, NormStyle::layer);
  model.add(Part::vision, prefix, {vision_node("PatchEmbed", "Patch Embed", width, std::move(stem))});

  Attention a{.o = "out_proj", .hidden = width, .heads = v.size("num_attention_heads"), .rotary = false};
  a.kv_heads = a.heads;
  a.head_dim = width / a.heads;
  a.bias(true);
  const Mlp m{.up = "fc1", .down = "fc2", .hidden = width, .inner = v.size("intermediate_size"), .gated = false,
              .up_bias = true, .down_bias = true, .activation = "gelu"};
  const LayerNorms norms{.before_mixer = "layer_norm1", .before_ffn = "layer_norm2", .style = NormStyle::layer};
  model.stack(
      Part::vision, prefix + "encoder.layers.", v.count("num_hidden_layers", 0), [](std::int64_t) { return 0; },
      [&](std::int64_t) { return vision_layer(norms, width, a, m); });
  std::vector<Tensor> last;
  add_norm(last, "post_layernorm", width, NormStyle::layer);
  if (style.pooling_head) {
    add_tensor(last, "head.probe", {1, 1, width});
    add_tensor(last, "head.attention.in_proj_weight", {3 * width, width}, Role::linear);
    add_tensor(last, "head.attention.in_proj_bias", {3 * width}, Role::bias);
    add_linear(last, "head.attention.out_proj", width, width, true);
    add_norm(last, "head.layernorm", width, NormStyle::layer);
    add_linear(last, "head.mlp.fc1", width, m.inner, true);
    add_linear(last, "head.mlp.fc2", m.inner, width, true);
  }
  model.add(Part::vision, prefix, {vision_node("Vision_Norm", "LayerNorm", width, std::move(last))});
  return width;
}

Count add_pixtral_vision(Model& model, const std::string& prefix, const Config& v) {
  const Count width = v.size("hidden_size"), patch = v.size("patch_size");
  std::vector<Tensor> stem;
  add_tensor(stem, "patch_conv.weight", {width, v.count("num_channels", 3), patch, patch});
  add_norm(stem, "ln_pre", width, NormStyle::rms);
  model.add(Part::vision, prefix, {vision_node("PatchEmbed", "Patch Embed", width, std::move(stem))});
  Attention a{.name = "attention", .hidden = width, .heads = v.size("num_attention_heads")};
  a.kv_heads = a.heads;
  a.head_dim = width / a.heads;
  const Mlp m{.name = "feed_forward", .hidden = width, .inner = v.size("intermediate_size")};
  const LayerNorms norms{.before_mixer = "attention_norm", .before_ffn = "ffn_norm"};
  model.stack(
      Part::vision, prefix + "transformer.layers.", v.count("num_hidden_layers", 0), [](std::int64_t) { return 0; },
      [&](std::int64_t) { return vision_layer(norms, width, a, m); });
  return width;
}

Count add_internvl_vision(Model& model, const std::string& prefix, const Config& v) {
  const Count width = v.size("hidden_size");
  const auto side = [&](std::string_view key) {
    const std::vector<Count> sizes = v.counts(key);
    return std::pair(sizes.empty() ? Count(1) : sizes.front(), sizes.empty() ? Count(1) : sizes.back());
  };
  const auto [patch_height, patch_width] = side("patch_size");
  const auto [height, image_width] = side("image_size");
  std::vector<Tensor> stem;
  add_tensor(stem, "embeddings.cls_token", {1, 1, width});
  if (v.flag("use_mask_token")) add_tensor(stem, "embeddings.mask_token", {1, 1, width});
  if (v.flag("use_absolute_position_embeddings", true))
    add_tensor(stem, "embeddings.position_embeddings", {1, (height / patch_height) * (image_width / patch_width) + 1, width}, Role::embedding);
  add_tensor(stem, "embeddings.patch_embeddings.projection.weight", {width, v.count("num_channels", 3), patch_height, patch_width});
  add_tensor(stem, "embeddings.patch_embeddings.projection.bias", {width}, Role::bias);
  model.add(Part::vision, prefix, {vision_node("PatchEmbed", "Patch Embed", width, std::move(stem))});
  Attention a{.name = "attention", .o = "projection_layer", .hidden = width, .heads = v.size("num_attention_heads"), .rotary = false};
  a.kv_heads = a.heads;
  a.head_dim = width / a.heads;
  a.qkv_bias(v.flag("attention_bias"));
  a.o_bias = true;
  if (v.flag("use_qk_norm")) a.qk_norm = QkNorm::full;
  const Mlp m{.up = "fc1", .down = "fc2", .hidden = width, .inner = v.size("intermediate_size"), .gated = false, .up_bias = true,
              .down_bias = true, .activation = "gelu"};
  const LayerNorms norms{.before_mixer = "layernorm_before", .before_ffn = "layernorm_after",
                         .style = v.word("norm_type", "layer_norm") == "rms_norm" ? NormStyle::rms : NormStyle::layer};
  model.stack(
      Part::vision, prefix + "encoder.layer.", v.count("num_hidden_layers", 0), [](std::int64_t) { return 0; },
      [&](std::int64_t) {
        std::vector<Node> layer = vision_layer(norms, width, a, m);
        for (const char* name : {"lambda_1", "lambda_2"}) add_tensor(layer.front().tensors, name, {width});
        return layer;
      });
  if (!v.flag("use_mean_pooling", true)) {
    std::vector<Tensor> last;
    add_norm(last, "layernorm", width, NormStyle::layer);
    model.add(Part::vision, prefix, {vision_node("Vision_Norm", "LayerNorm", width, std::move(last))});
  }
  return width;
}

}  // namespace modelwatch::estimator
