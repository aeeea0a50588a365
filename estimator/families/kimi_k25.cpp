#include "estimator/blocks/decoder.h"
#include "estimator/blocks/linear.h"
#include "estimator/blocks/multimodal.h"
#include "estimator/blocks/vision.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// MoonViT before a deepseek_v3: patches, a learned grid of positions, layers with biases, a patch merger. Published files
/// keep the tower's sizes under vt_ names.
Model build(const Config& root) {
  Model model;
  const Config text = root.part("text_config", "deepseek_v3"), v = root.part("vision_config", "kimi_k25_vision");
  const auto size = [&](std::string_view published, std::string_view key) { return v.raw(published) ? v.size(published) : v.size(key); };
  const Count width = size("vt_hidden_size", "hidden_size"), patch = v.size("patch_size");
  const std::string prefix = "vision_tower.";
  std::vector<Tensor> stem;
  add_tensor(stem, "patch_embed.proj.weight", {width, 3, patch, patch});
  add_tensor(stem, "patch_embed.proj.bias", {width}, Role::bias);
  add_tensor(stem, "patch_embed.pos_emb.weight",
             {size("init_pos_emb_height", "pos_emb_height"), size("init_pos_emb_width", "pos_emb_width"), width}, Role::embedding);
  model.add(Part::vision, prefix, {vision_node("PatchEmbed", "Patch Embed", width, std::move(stem))});
  Attention a{.name = "", .o = "wo", .fused = "wqkv", .hidden = width, .heads = size("vt_num_attention_heads", "num_attention_heads")};
  a.kv_heads = a.heads;
  a.head_dim = width / a.heads;
  a.bias(true);
  const Mlp m{.up = "fc0", .down = "fc1", .hidden = width, .inner = size("vt_intermediate_size", "intermediate_size"), .gated = false,
              .up_bias = true, .down_bias = true, .activation = "gelu"};
  const LayerNorms norms{.before_mixer = "norm0", .before_ffn = "norm1", .style = NormStyle::layer};
  model.stack(
      Part::vision, prefix + "encoder.blocks.", v.raw("vt_num_hidden_layers") ? v.count("vt_num_hidden_layers", 0) : v.count("num_hidden_layers", 0),
      [](std::int64_t) { return 0; }, [&](std::int64_t) { return vision_layer(norms, width, a, m); });
  model.add(Part::vision, prefix, {norm_node("Vision_Norm", "encoder.final_layernorm", width, NormStyle::layer, Stream::residual, 0)});
  Count merged = width;
  for (const Count side : v.counts("merge_kernel_size")) merged *= side;
  std::vector<Tensor> projector;
  add_norm(projector, "pre_norm", width, NormStyle::layer);
  add_linear(projector, "proj.0", merged, merged, true);
  add_linear(projector, "proj.2", merged, text.size("hidden_size"), true);
  model.add(Part::projector, "mm_projector.", {vision_node("Projector", "Patch Merger", text.size("hidden_size"), std::move(projector))});
  add_language_model(model, root, text, "language_model.model.", "language_model.lm_head");
  return model;
}

constexpr std::string_view kTypes[] = {"kimi_k25"};

}  // namespace

extern const Family kimi_k25_family{"kimi_k25", kTypes, build};

}  // namespace modelwatch::estimator
