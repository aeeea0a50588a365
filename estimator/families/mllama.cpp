#include <algorithm>

#include "estimator/blocks/decoder.h"
#include "estimator/blocks/linear.h"
#include "estimator/blocks/vision.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// Cross attention to image features in the layers that cross_attention_layers name, behind two gates; eight more rows in
/// the table than in the head.
void add_text_model(Model& model, const Config& root, const Config& text, bool nested) {
  LlamaLike p = llama_like(text);
  Shell& shell = p.shell;
  if (nested) shell.prefix = "language_model.model.", shell.head = "language_model.lm_head";
  const std::vector<Count> crossing = text.raw("cross_attention_layers") ? text.counts("cross_attention_layers")
                                                                         : std::vector<Count>{3, 8, 13, 18, 23, 28, 33, 38};
  const auto crosses = [&](std::int64_t i) { return std::find(crossing.begin(), crossing.end(), Count(i)) != crossing.end(); };
  Attention cross = p.attention;
  cross.name = "cross_attn", cross.qk_norm = QkNorm::head, cross.rotary = false;
  set_layers(p, crosses,
             [&](std::int64_t i) {
               if (!crosses(i)) return branch(p.attention);
               Branch b = branch(cross);
               b.node.row = "Cross_Attention_{}";
               b.node.cache = {};  // grows with the image's tokens
               for (const char* gate : {"cross_attn_attn_gate", "cross_attn_mlp_gate"}) add_tensor(b.node.tensors, gate, {1});
               return b;
             },
             [&](std::int64_t) { return branch(p.mlp); });
  shell.extra_rows = 8;
  add_text(model, root, text, p);
}

std::vector<Node> layer_of(Count width, Count heads, Count inner, bool gated) {
  Attention a{.hidden = width, .heads = heads, .kv_heads = heads, .head_dim = width / heads, .rotary = false};
  const Mlp m{.up = "fc1", .down = "fc2", .hidden = width, .inner = inner, .gated = false, .up_bias = true, .down_bias = true,
              .activation = "gelu"};
  std::vector<Node> layer = vision_layer({.style = NormStyle::layer}, width, a, m);
  if (gated)
    for (const char* gate : {"gate_attn", "gate_ffn"}) add_tensor(layer.front().tensors, gate, {1});
  return layer;
}

void add_tower(Model& model, const Config& v) {
  const std::string prefix = "vision_model.";
  const Count width = v.size("hidden_size"), patch = v.size("patch_size"), side = v.size("image_size") / patch, heads = v.size("attention_heads");
  const Count rows = side * side + 1, tiles = v.size("max_num_tiles");
  const json::Value* ratios = v.raw("supported_aspect_ratios");
  const Count aspects = ratios && ratios->array() ? Count(static_cast<std::int64_t>(ratios->array()->size())) + 1 : Count(9);
  std::vector<Tensor> stem;
  add_tensor(stem, "class_embedding", {width});
  add_tensor(stem, "patch_embedding.weight", {width, v.size("num_channels"), patch, patch});
  add_tensor(stem, "gated_positional_embedding.gate", {1});
  add_tensor(stem, "gated_positional_embedding.embedding", {rows, width}, Role::embedding);
  add_tensor(stem, "gated_positional_embedding.tile_embedding.weight", {aspects, tiles * rows * width}, Role::embedding);
  for (const char* place : {"pre_tile_positional_embedding", "post_tile_positional_embedding"}) {
    add_tensor(stem, joined(place, "gate"), {1});
    add_tensor(stem, joined(place, "embedding.weight"), {aspects, tiles * width}, Role::embedding);
  }
  add_norm(stem, "layernorm_pre", width, NormStyle::layer);
  add_norm(stem, "layernorm_post", width, NormStyle::layer);
  model.add(Part::vision, prefix, {vision_node("PatchEmbed", "Patch Embed", width, std::move(stem))});
  const auto stack = [&](const char* name, Count depth, bool gated) {
    model.stack(
        Part::vision, prefix + name + ".layers.", depth, [](std::int64_t) { return 0; },
        [&](std::int64_t) { return layer_of(width, heads, v.size("intermediate_size"), gated); });
  };
  stack("transformer", v.count("num_hidden_layers", 0), false);
  stack("global_transformer", v.count("num_global_layers", 0), true);
}

Model build(const Config& root) {
  Model model;
  if (root.type() == "mllama_text_model") {
    add_text_model(model, root, root, false);
    return model;
  }
  const Config text = root.part("text_config", "mllama_text_model"), vision = root.part("vision_config", "mllama_vision_model");
  add_tower(model, vision);
  add_text_model(model, root, text, true);
  model.add(Part::projector, "",
            {linear_node("Projector", "multi_modal_projector", vision.size("vision_output_dim"), text.size("hidden_size"), true)});
  return model;
}

constexpr std::string_view kTypes[] = {"mllama", "mllama_text_model"};

}  // namespace

extern const Family mllama_family{"mllama", kTypes, build};

}  // namespace modelwatch::estimator
