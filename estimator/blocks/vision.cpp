#include "estimator/blocks/vision.h"

#include "estimator/blocks/linear.h"

namespace modelwatch::estimator {
namespace {

Node module_node(std::string row, std::string label, Count width, std::vector<Tensor> tensors) {
  Node node;
  node.row = std::move(row);
  node.label = std::move(label);
  node.width = width;
  node.tensors = std::move(tensors);
  return node;
}

std::vector<Node> named_vision(std::vector<Node> layer) {
  for (Node& node : layer) node.row = "Vision_" + node.row;
  return layer;
}

/// norm over `normed` (the patch width, or after merging), then two matrices at merge²·D.
void add_merger(Model& model, const std::string& prefix, Count width, Count merged, Count out, bool norm_after) {
  std::vector<Tensor> tensors;
  add_norm(tensors, "norm", norm_after ? merged : width, NormStyle::layer);
  add_linear(tensors, "linear_fc1", merged, merged, true);
  add_linear(tensors, "linear_fc2", merged, out, true);
  model.add(Part::vision, prefix, {module_node("Vision_Merger", "Patch Merger", out, std::move(tensors))});
}

void add_old_merger(Model& model, const std::string& prefix, Count width, Count merged, Count out, NormStyle style) {
  std::vector<Tensor> tensors;
  add_norm(tensors, "ln_q", width, style);
  add_linear(tensors, "mlp.0", merged, merged, true);
  add_linear(tensors, "mlp.2", merged, out, true);
  model.add(Part::vision, prefix, {module_node("Vision_Merger", "Patch Merger", out, std::move(tensors))});
}

}  // namespace

void add_qwen_vision(Model& model, const std::string& prefix, const Config& v, const QwenVision& style) {
  const bool second = v.type() == "qwen2_vl_vision";  // calls its width embed_dim, and what it hands over hidden_size
  const Count width = v.size(second ? "embed_dim" : "hidden_size");
  const Count out = v.size(second ? "hidden_size" : "out_hidden_size");
  const Count patch = v.size("patch_size"), merge = v.size("spatial_merge_size"), merged = width * merge * merge;
  std::vector<Tensor> stem;
  add_tensor(stem, "patch_embed.proj.weight", {width, v.size("in_channels"), v.size("temporal_patch_size"), patch, patch});
  if (style.position_table) {
    add_tensor(stem, "patch_embed.proj.bias", {width}, Role::bias);
    add_tensor(stem, "pos_embed.weight", {v.size("num_position_embeddings"), width}, Role::embedding);
  }
  model.add(Part::vision, prefix, {module_node("Vision_Patches", "Patch Embedding", width, std::move(stem))});

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
      [&](std::int64_t) { return named_vision(decoder_layer(norms, width, branch(a), branch(m))); });

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
  const Count rows = style.flat_patches ? v.size("num_patches") : side * side + (style.class_token ? 1 : 0);
  add_tensor(stem, "embeddings.position_embedding.weight", {rows, width}, Role::embedding);
  if (style.class_token) add_norm(stem, "pre_layrnorm", width, NormStyle::layer);
  model.add(Part::vision, prefix, {module_node("Vision_Patches", "Patch Embedding", width, std::move(stem))});

  Attention a{.o = "out_proj", .hidden = width, .heads = v.size("num_attention_heads"), .rotary = false};
  a.kv_heads = a.heads;
  a.head_dim = width / a.heads;
  a.bias(true);
  const Mlp m{.up = "fc1", .down = "fc2", .hidden = width, .inner = v.size("intermediate_size"), .gated = false,
              .up_bias = true, .down_bias = true, .activation = "gelu"};
  const LayerNorms norms{.before_mixer = "layer_norm1", .before_ffn = "layer_norm2", .style = NormStyle::layer};
  model.stack(
      Part::vision, prefix + "encoder.layers.", v.count("num_hidden_layers", 0), [](std::int64_t) { return 0; },
      [&](std::int64_t) { return named_vision(decoder_layer(norms, width, branch(a), branch(m))); });
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
  model.add(Part::vision, prefix, {module_node("Vision_Norm", "LayerNorm", width, std::move(last))});
  return width;
}

}  // namespace modelwatch::estimator
