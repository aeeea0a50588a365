#include <algorithm>

#include "estimator/blocks/decoder.h"
#include "estimator/blocks/layer_types.h"
#include "estimator/blocks/linear.h"
#include "estimator/blocks/vision.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// The text model: experts (fused, transposed) and a shared MLP in every interleave_moe_layer_step-th layer, chunks of
/// attention_chunk_size in three of four.
void add_text_model(Model& model, const Config& root, const Config& text, bool nested) {
  LlamaLike p = llama_like(text);
  Attention& a = p.attention;
  a.bias(text.flag("attention_bias"));
  Shell& shell = p.shell;
  if (nested) shell.prefix = "language_model.model.", shell.head = "language_model.lm_head";
  Mlp dense = p.mlp;
  dense.name = "feed_forward", dense.inner = text.size("intermediate_size_mlp");
  Moe moe{.name = "feed_forward", .router = "router", .layout = Experts::fused_transposed, .hidden = shell.hidden, .inner = p.mlp.inner,
          .count = text.size("num_local_experts"), .active = text.size("num_experts_per_tok")};
  moe.shared = Mlp{.name = "shared_expert", .hidden = shell.hidden, .inner = p.mlp.inner};
  const std::int64_t step = text.size("interleave_moe_layer_step", 1).value();
  const std::vector<Count> listed = text.counts("moe_layers");
  const auto sparse = [&](std::int64_t i) {
    return listed.empty() ? (i + 1) % step == 0 : std::find(listed.begin(), listed.end(), Count(i)) != listed.end();
  };
  const Count chunk = text.count("attention_chunk_size", 0);
  const std::int64_t interval = text.size("no_rope_layer_interval", 4).value();
  const std::vector<Count> rotated = text.counts("no_rope_layers");  // 1 = rotary and chunked
  const LayerTypes types(text, shell.depth, [&](std::int64_t i) {
    const bool turns = static_cast<std::size_t>(i) < rotated.size() ? static_cast<bool>(rotated[static_cast<std::size_t>(i)]) : (i + 1) % interval != 0;
    return turns ? "chunked_attention" : "full_attention";
  });
  const auto chunked = [&](std::int64_t i) { return types.is(i, "chunked_attention"); };
  set_layers(p, [&](std::int64_t i) { return 2 * chunked(i) + sparse(i); },
             [&](std::int64_t i) {
               a.window = chunked(i) ? chunk : Count(0);
               return branch(a);
             },
             [&](std::int64_t i) { return sparse(i) ? branch(moe) : branch(dense); });
  add_text(model, root, text, p);
}

/// The tower: patches unfolded into one matrix, a learned position a patch, and an adapter behind a pixel shuffle.
void add_tower(Model& model, const Config& v, Count hidden) {
  const std::string prefix = "vision_model.";
  const Count width = v.size("hidden_size"), patch = v.size("patch_size"), side = v.size("image_size") / patch;
  std::vector<Tensor> stem;
  add_tensor(stem, "class_embedding", {width});
  add_tensor(stem, "positional_embedding_vlm", {side * side + 1, width}, Role::embedding);
  add_linear(stem, "patch_embedding.linear", v.size("num_channels") * patch * patch, width);
  add_norm(stem, "layernorm_pre", width, NormStyle::layer);
  model.add(Part::vision, prefix, {vision_node("PatchEmbed", "Patch Embed", width, std::move(stem))});
  Attention a{.hidden = width, .heads = v.size("num_attention_heads")};
  a.kv_heads = a.heads;
  a.head_dim = width / a.heads;
  a.bias(true);
  const Mlp m{.up = "fc1", .down = "fc2", .hidden = width, .inner = v.size("intermediate_size"), .gated = false, .up_bias = true,
              .down_bias = true, .activation = "gelu"};
  const LayerNorms norms{.style = NormStyle::layer};
  model.stack(
      Part::vision, prefix + "model.layers.", v.count("num_hidden_layers", 0), [](std::int64_t) { return 0; },
      [&](std::int64_t) { return vision_layer(norms, width, a, m); });
  std::vector<Tensor> last;
  add_norm(last, "layernorm_post", width, NormStyle::layer);
  add_linear(last, "vision_adapter.mlp.fc1", m.inner, v.size("projector_input_dim"));
  add_linear(last, "vision_adapter.mlp.fc2", v.size("projector_input_dim"), v.size("projector_output_dim"));
  model.add(Part::vision, prefix, {vision_node("Vision_Adapter", "MLP", v.size("projector_output_dim"), std::move(last))});
  model.add(Part::projector, "multi_modal_projector.", {linear_node("Projector", "linear_1", v.size("vision_output_dim"), hidden, false)});
}

Model build(const Config& root) {
  Model model;
  if (root.type() == "llama4_text") {
    add_text_model(model, root, root, false);
    return model;
  }
  const Config text = root.part("text_config", "llama4_text");
  add_tower(model, root.part("vision_config", "llama4_vision_model"), text.size("hidden_size"));
  add_text_model(model, root, text, true);
  return model;
}

constexpr std::string_view kTypes[] = {"llama4", "llama4_text"};

}  // namespace

extern const Family llama4_family{"llama4", kTypes, build};

}  // namespace modelwatch::estimator
