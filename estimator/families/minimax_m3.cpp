#include "estimator/blocks/decoder.h"
#include "estimator/blocks/layer_types.h"
#include "estimator/blocks/linear.h"
#include "estimator/blocks/vision.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// Grouped attention, sparse in the layers of sparse_attention_freq behind an indexer of its own; experts and a shared MLP
/// with one input matrix each. An image tower over 3-D patches with a projector that merges four patches.
void add_text_model(Model& model, const Config& root, const Config& text) {
  LlamaLike p = llama_like_without_mlp(text);
  Attention& a = p.attention;
  a.qk_norm = QkNorm::head;
  a.qk_style = p.shell.style = p.norms.style = NormStyle::rms_plus;
  a.concatenated = true;
  p.shell.prefix = "model.language_model.";
  const json::Value* sparse = text.raw("sparse_attention_config");
  const json::Value none;
  const Config sparse_config = text.part("sparse_attention_config", "", none);
  const std::vector<Count> frequency = sparse ? sparse_config.counts("sparse_attention_freq") : std::vector<Count>();
  const Count index_heads = sparse ? sparse_config.size("sparse_num_index_heads", 4) : text.size("index_n_heads", 4);
  const Count index_dim = sparse ? sparse_config.size("sparse_index_dim", 128) : text.size("index_head_dim", 128);
  const std::vector<Count> moe_frequency = text.counts("moe_layer_freq");
  const auto entry = [](const std::vector<Count>& list, std::int64_t i, bool fallback) {
    return static_cast<std::size_t>(i) < list.size() ? static_cast<bool>(list[static_cast<std::size_t>(i)]) : fallback;
  };
  const LayerTypes types(text, p.shell.depth,
                         [&](std::int64_t i) { return entry(frequency, i, false) ? "minimax_m3_sparse" : "full_attention"; });
  const LayerTypes ffn(text, p.shell.depth, [&](std::int64_t i) { return entry(moe_frequency, i, true) ? "sparse" : "dense"; },
                       "mlp_layer_types");
  const Mlp dense{.fused = "gate_up_proj", .hidden = a.hidden, .inner = text.size("dense_intermediate_size")};
  Moe moe{.correction = "gate.e_score_correction_bias", .layout = Experts::fused, .hidden = a.hidden, .inner = text.size("intermediate_size"),
          .count = text.size("num_local_experts"), .active = text.size("num_experts_per_tok")};
  moe.shared = Mlp{.name = "shared_experts", .fused = "gate_up_proj", .hidden = a.hidden,
                   .inner = text.size("shared_intermediate_size") * text.size("n_shared_experts", 1)};
  const auto indexed = [&](std::int64_t i) { return types.is(i, "minimax_m3_sparse"); };
  set_layers(p, [&](std::int64_t i) { return 2 * indexed(i) + ffn.is(i, "sparse"); },
             [&](std::int64_t i) {
               Branch b = branch(a);
               if (!indexed(i)) return b;
               add_linear(b.node.tensors, "self_attn.indexer.q_proj", a.hidden, index_heads * index_dim);
               add_linear(b.node.tensors, "self_attn.indexer.k_proj", a.hidden, index_dim);
               add_norm(b.node.tensors, "self_attn.indexer.q_norm", index_dim, NormStyle::rms);
               add_norm(b.node.tensors, "self_attn.indexer.k_norm", index_dim, NormStyle::rms);
               b.node.cache.index_keys = index_dim;
               return b;
             },
             [&](std::int64_t i) { return ffn.is(i, "sparse") ? branch(moe) : branch(dense); });
  add_text(model, root, text, p);
}

void add_tower(Model& model, const Config& root, const Config& v, Count hidden) {
  const std::string prefix = "model.vision_tower.";
  const json::Value none;
  const Config merging = v.part("img_token_compression_config", "", none);
  const Count width = v.size("hidden_size"), patch = v.size("patch_size");
  const Count frames = merging.size("temporal_patch_size", v.size("temporal_patch_size", 2));
  const Count merge = merging.size("spatial_merge_size", v.size("spatial_merge_size", 2));
  std::vector<Tensor> stem;
  add_tensor(stem, "embeddings.proj.weight", {width, v.size("num_channels", 3), frames, patch, patch});
  add_norm(stem, "pre_layrnorm", width, NormStyle::layer);
  model.add(Part::vision, prefix, {vision_node("PatchEmbed", "Patch Embed", width, std::move(stem))});
  Attention a{.o = "out_proj", .hidden = width, .heads = v.size("num_attention_heads")};
  a.kv_heads = a.heads;
  a.head_dim = width / a.heads;
  a.bias(true);
  const Mlp m{.up = "fc1", .down = "fc2", .hidden = width, .inner = v.size("intermediate_size"), .gated = false, .up_bias = true,
              .down_bias = true, .activation = "gelu"};
  const LayerNorms norms{.before_mixer = "layer_norm1", .before_ffn = "layer_norm2", .style = NormStyle::layer};
  model.stack(
      Part::vision, prefix + "layers.", v.count("num_hidden_layers", 0), [](std::int64_t) { return 0; },
      [&](std::int64_t) { return vision_layer(norms, width, a, m); });
  const Count inner = root.size("projector_hidden_size", hidden);
  const bool biased = root.flag("multimodal_projector_bias", true);
  std::vector<Tensor> projector;
  add_linear(projector, "linear_1", width, inner, biased);
  add_linear(projector, "linear_2", inner, hidden, biased);
  add_linear(projector, "merge_linear_1", hidden * merge * merge, inner, biased);
  add_linear(projector, "merge_linear_2", inner, hidden, biased);
  model.add(Part::projector, "model.multi_modal_projector.", {vision_node("Projector", "MLP", hidden, std::move(projector))});
}

Model build(const Config& root) {
  Model model;
  const Config text = root.part("text_config", "minimax_m3_vl_text");
  add_tower(model, root, root.part("vision_config", "minimax_m3_vl_vision"), text.size("hidden_size"));
  add_text_model(model, root, text);
  return model;
}

constexpr std::string_view kTypes[] = {"minimax_m3_vl"};

}  // namespace

extern const Family minimax_m3_family{"minimax_m3", kTypes, build};

}  // namespace modelwatch::estimator
