#include "estimator/blocks/decoder.h"
#include "estimator/blocks/layer_types.h"
#include "estimator/blocks/linear.h"
#include "estimator/blocks/mamba.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// Experts in two fused matrices, a shared MLP with one input matrix; the hybrid has Mamba2 where layer_types say so, and
/// may have no experts at all.
/// Published experts are input_linear [E, 2·I, D] and output_linear [E, D, I].
Branch granite_experts(const Moe& moe) {
  Branch b = branch(Moe(moe));
  std::erase_if(b.node.tensors, [](const Tensor& tensor) { return tensor.role == Role::expert; });
  const std::pair<const char*, Shape> fused[] = {{"block_sparse_moe.input_linear.weight", {moe.count, 2 * moe.inner, moe.hidden}},
                                                 {"block_sparse_moe.output_linear.weight", {moe.count, moe.hidden, moe.inner}}};
  for (const auto& [name, shape] : fused) {
    add_tensor(b.node.tensors, name, shape, Role::expert);
    b.node.tensors.back().experts = moe.count;
    b.node.tensors.back().experts_active = min(moe.active, moe.count);
  }
  return b;
}

Model build(const Config& root) {
  const Config text = root.text();
  const std::string& type = text.type();
  LlamaLike p = llama_like(text);
  Attention& a = p.attention;
  a.bias(text.flag("attention_bias"));
  a.sinks = type == "granitemoe_swa";
  p.shell.tied = type == "granitemoehybrid";
  const bool hybrid = type == "granitemoehybrid";
  if (hybrid) p.shell.rotary = a.rotary = text.word("position_embedding_type") == "rope";
  const Moe moe{.name = "block_sparse_moe", .router = "router.layer", .hidden = p.shell.hidden, .inner = p.mlp.inner,
                .count = text.count("num_local_experts", 0), .active = text.count("num_experts_per_tok", 0)};
  const Count shared = type == "granitemoe" ? Count(0) : text.count("shared_intermediate_size", hybrid ? 1024 : 0);
  const auto feed_forward = [&] {
    Branch b;
    if (moe.count) b = granite_experts(moe);
    if (!shared) return b;
    const Mlp mlp{.name = "shared_mlp", .down = "output_linear", .fused = "input_linear", .hidden = p.shell.hidden, .inner = shared};
    Branch beside = branch(mlp);
    if (!moe.count) return beside;
    b.node.label = "Shared-Expert MoE";
    b.node.saved += beside.node.saved;
    b.node.saved += Saved{2 * p.shell.hidden, 2 * p.shell.hidden, 0, 0};
    b.node.tensors.insert(b.node.tensors.end(), beside.node.tensors.begin(), beside.node.tensors.end());
    return b;
  };
  const Count inner = hybrid ? static_cast<std::int64_t>(text.real("mamba_expand", 2) * p.shell.hidden.real()) : Count(0);
  const LayerTypes types(text, p.shell.depth, [&](std::int64_t) { return hybrid ? "linear_attention" : "full_attention"; });
  const auto mamba = [&](std::int64_t i) { return hybrid && (types.is(i, "linear_attention") || types.is(i, "mamba")); };
  const Count window = text.count("sliding_window", 0);
  const auto slides = [&](std::int64_t i) { return types.is(i, "sliding_attention"); };
  set_layers(p, [&](std::int64_t i) { return 2 * mamba(i) + slides(i); },
             [&](std::int64_t i) -> Branch {
               if (mamba(i))
                 return {mamba2_node({.name = "mamba", .hidden = p.shell.hidden, .inner = inner, .heads = text.size("mamba_n_heads"),
                                      .groups = text.size("mamba_n_groups"), .state = text.size("mamba_d_state"),
                                      .kernel = text.size("mamba_d_conv"), .bias = text.flag("mamba_proj_bias"),
                                      .conv_bias = text.flag("mamba_conv_bias", true)}),
                         1};
               a.window = slides(i) ? window : Count(0);
               return branch(a);
             },
             [&](std::int64_t) { return feed_forward(); });
  return causal_lm(root, text, p);
}

constexpr std::string_view kTypes[] = {
    "granitemoe", "granitemoeshared", "granitemoehybrid", "granitemoe_swa",
};

}  // namespace

extern const Family granitemoe_family{"granitemoe", kTypes, build};

}  // namespace modelwatch::estimator
