#include "estimator/blocks/decoder.h"
#include "estimator/blocks/layer_types.h"
#include "estimator/blocks/linear.h"
#include "estimator/blocks/vision.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// Of one layer, what per_layer_config or the rule for full layers changes.
struct Layer {
  Count head_dim, kv_heads;
  bool slides = false, shared = false;
};

struct Text {
  LlamaLike p;
  std::vector<Layer> layers;
  Moe moe;
  Count per_layer;
  bool sparse = false, same = false, wide = false;
};

std::vector<Layer> read_layers(const Config& c, const LlamaLike& p) {
  const std::int64_t depth = p.shell.depth.value();
  const LayerTypes types(c, p.shell.depth, [&](std::int64_t i) { return (i + 1) % 6 ? "sliding_attention" : "full_attention"; });
  const Count wide = c.size("global_head_dim", 512);
  const bool same = c.flag("attention_k_eq_v");
  const Count full_heads = same ? c.size("num_global_key_value_heads", p.attention.kv_heads) : p.attention.kv_heads;
  const std::int64_t shared_from = depth - min(c.count("num_kv_shared_layers", 0), depth).value();
  const json::Value* own = c.raw("per_layer_config");
  std::vector<Layer> layers;
  for (std::int64_t i = 0; i < depth; ++i) {
    Layer layer{p.attention.head_dim, p.attention.kv_heads, types.is(i, "sliding_attention") && i + 1 != depth, i >= shared_from};
    if (own && own->is_object()) {
      std::string index = std::to_string(i);
      const json::Value* row = own->find(index);
      if (!row && index.size() < 2) row = own->find("0" + index);
      const auto read = [&](const char* key, Count& to) {
        if (const json::Value* value = row ? row->find(key) : nullptr; value && value->integer() && *value->integer() > 0) to = *value->integer();
      };
      read("head_dim", layer.head_dim);
      read("num_key_value_heads", layer.kv_heads);
    } else if (!layer.slides) {
      layer.head_dim = wide;
      layer.kv_heads = full_heads;
    }
    layers.push_back(layer);
  }
  return layers;
}

/// Gate, projection and norm of the per-layer input.
void add_per_layer_input(Node& node, Count hidden, Count width) {
  if (!width) return;
  add_linear(node.tensors, "per_layer_input_gate", hidden, width);
  add_linear(node.tensors, "per_layer_projection", width, hidden);
  add_norm(node.tensors, "post_per_layer_input_norm", hidden, NormStyle::rms);
}

/// Experts beside the dense block, with a router that scales its input, and three norms more.
Branch experts_beside(const Text& t) {
  Branch b = branch(t.moe);
  std::erase_if(b.node.tensors, [](const Tensor& tensor) { return tensor.role == Role::router; });
  const Count hidden = t.p.shell.hidden;
  add_tensor(b.node.tensors, "router.scale", {hidden});
  add_tensor(b.node.tensors, "router.per_expert_scale", {t.moe.count});
  add_linear(b.node.tensors, "router.proj", hidden, t.moe.count, false, Role::router);
  for (const char* name : {"post_feedforward_layernorm_1", "post_feedforward_layernorm_2", "pre_feedforward_layernorm_2"})
    add_norm(b.node.tensors, name, hidden, NormStyle::rms);
  return b;
}

std::vector<Node> layer_rows(const Text& t, const Layer& layer, Count window) {
  Attention a = t.p.attention;
  a.head_dim = layer.head_dim;
  a.kv_heads = layer.kv_heads;
  a.window = layer.slides ? window : Count(0);
  a.shared_kv = layer.shared;
  a.keys_are_values = t.same && !layer.slides;
  Mlp m = t.p.mlp;
  if (t.wide && layer.shared) m.inner = 2 * m.inner;
  std::vector<Node> rows = decoder_layer(t.p.norms, t.p.shell.hidden, branch(a), branch(m));
  if (t.sparse) rows.insert(rows.end() - 2, experts_beside(t).node);
  add_tensor(rows.front().buffers, "layer_scalar", {1});
  add_per_layer_input(rows.back(), t.p.shell.hidden, t.per_layer);
  return rows;
}

Text read_text(const Config& c) {
  Text t;
  t.p = llama_like(c);
  t.p.shell.tied = true;
  t.p.shell.soft_capped = c.real("final_logit_softcapping", 0) > 0;
  t.p.mlp.activation = "gelu_pytorch_tanh";
  t.p.attention.bias(c.flag("attention_bias"));
  t.p.attention.qk_norm = QkNorm::head;
  t.p.norms.after_mixer = "post_attention_layernorm";
  t.p.norms.before_ffn = "pre_feedforward_layernorm";
  t.p.norms.after_ffn = "post_feedforward_layernorm";
  t.layers = read_layers(c, t.p);
  t.same = c.flag("attention_k_eq_v");
  t.wide = c.flag("use_double_wide_mlp");
  t.sparse = c.flag("enable_moe_block");
  t.per_layer = c.count("hidden_size_per_layer_input", 0);
  if (t.sparse)
    t.moe = Moe{.name = "", .router = "router.proj", .layout = Experts::fused, .hidden = t.p.shell.hidden,
                .inner = c.size("moe_intermediate_size"), .count = c.size("num_experts"), .active = c.size("top_k_experts")};
  return t;
}

void add_text_model(Model& model, const Config& root, const Config& c, const std::string& prefix) {
  Text t = read_text(c);
  Shell& shell = t.p.shell;
  shell.prefix = prefix;
  if (t.per_layer) {
    const Count width = shell.depth * t.per_layer;
    shell.extras = {embedding_node("Per_Layer_Embedding", "embed_tokens_per_layer", c.size("vocab_size_per_layer_input", shell.vocabulary), width),
                    linear_node("Per_Layer_Projection", "per_layer_model_projection", shell.hidden, width, false),
                    norm_node("Per_Layer_Norm", "per_layer_projection_norm", t.per_layer, NormStyle::rms, Stream::branch, 0)};
  }
  const Count window = c.count("sliding_window", 0);
  shell.kind_of = [&](std::int64_t i) {
    const Layer& l = t.layers[static_cast<std::size_t>(i)];
    return ((l.head_dim * 1024 + l.kv_heads) * 4 + (l.slides ? 2 : 0) + (l.shared ? 1 : 0)).value();
  };
  shell.build = [&](std::int64_t i) { return layer_rows(t, t.layers[static_cast<std::size_t>(i)], window); };
  add_text(model, root, c, t.p);
}

/// The tower: patches through one matrix, two tables of positions, four norms a layer, linears inside clipping wrappers.
void add_tower(Model& model, const Config& v, Count hidden) {
  const std::string prefix = "model.vision_tower.";
  const Count width = v.size("hidden_size"), patch = v.size("patch_size");
  std::vector<Tensor> stem;
  add_tensor(stem, "patch_embedder.position_embedding_table", {2, v.size("position_embedding_size"), width}, Role::embedding);
  add_linear(stem, "patch_embedder.input_proj", 3 * patch * patch, width);
  Node patches = vision_node("PatchEmbed", "Patch Embed", width, std::move(stem));
  if (v.flag("standardize"))
    for (const char* name : {"std_bias", "std_scale"}) add_tensor(patches.buffers, name, {width});
  model.add(Part::vision, prefix, {std::move(patches)});
  Attention a{.q = "q_proj.linear", .k = "k_proj.linear", .v = "v_proj.linear", .o = "o_proj.linear", .hidden = width,
              .heads = v.size("num_attention_heads"), .qk_norm = QkNorm::head};
  a.kv_heads = v.size("num_key_value_heads", a.heads);
  a.head_dim = v.size("head_dim", width / a.heads);
  a.bias(v.flag("attention_bias"));
  const Mlp m{.gate = "gate_proj.linear", .up = "up_proj.linear", .down = "down_proj.linear", .hidden = width,
              .inner = v.size("intermediate_size"), .activation = "gelu"};
  const LayerNorms norms{.after_mixer = "post_attention_layernorm", .before_ffn = "pre_feedforward_layernorm",
                         .after_ffn = "post_feedforward_layernorm"};
  if (v.flag("use_clipped_linears")) model.unknown = "An image tower with clipped linears: no number is given rather than a guess.";
  model.stack(
      Part::vision, prefix + "encoder.layers.", v.count("num_hidden_layers", 0), [](std::int64_t) { return 0; },
      [&](std::int64_t) { return vision_layer(norms, width, a, m); });
  model.add(Part::projector, "model.embed_vision.", {linear_node("Projector", "embedding_projection", width, hidden, false)});
}

Model build(const Config& root) {
  Model model;
  if (root.type() == "gemma4_text") {
    add_text_model(model, root, root, "model.");
    return model;
  }
  const Config text = root.part("text_config", "gemma4_text");
  if (root.has("audio_config")) model.unknown = "A gemma4 with an audio tower: no number is given rather than a guess.";
  if (root.has("vision_config")) add_tower(model, root.part("vision_config", "gemma4_vision"), text.size("hidden_size"));
  add_text_model(model, root, text, "model.language_model.");
  return model;
}

constexpr std::string_view kTypes[] = {"gemma4", "gemma4_text"};

}  // namespace

extern const Family gemma4_family{"gemma4", kTypes, build};

}  // namespace modelwatch::estimator
