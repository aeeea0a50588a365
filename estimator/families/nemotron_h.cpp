#include <algorithm>

#include "estimator/blocks/decoder.h"
#include "estimator/blocks/linear.h"
#include "estimator/blocks/mamba.h"
#include "estimator/blocks/mtp.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// One mixer a layer: Mamba2 (M), attention (*), MLP (-) or experts (E), by pattern or list. Experts have two matrices and
/// may work in a latent width between two projections.
struct Blocks {
  Mamba2 mamba;
  Attention attention;
  Mlp mlp;
  Moe moe;
  Count latent;

  Branch of(const std::string& kind) const {
    if (kind == "linear_attention" || kind == "mamba" || kind == "M") return {mamba2_node(mamba), 1};
    if (kind == "full_attention" || kind == "attention" || kind == "*") return branch(attention);
    if (kind == "mlp" || kind == "-") return branch(mlp);
    Branch b = branch(moe);
    if (latent) {
      add_linear(b.node.tensors, "mixer.fc1_latent_proj", moe.hidden, latent);
      add_linear(b.node.tensors, "mixer.fc2_latent_proj", latent, moe.hidden);
    }
    return b;
  }
};

Blocks read_blocks(const Config& c) {
  Blocks b;
  const Count hidden = c.size("hidden_size");
  b.mamba = Mamba2{.hidden = hidden, .heads = c.size("mamba_num_heads"), .groups = c.size("n_groups"), .state = c.size("ssm_state_size"),
                   .kernel = c.size("conv_kernel"), .bias = c.flag("use_bias"), .conv_bias = c.flag("use_conv_bias", true)};
  b.mamba.inner = b.mamba.heads * c.size("mamba_head_dim");
  Attention& a = b.attention;
  a = Attention{.name = "mixer", .hidden = hidden, .heads = c.size("num_attention_heads"), .rotary = false};
  a.kv_heads = c.size("num_key_value_heads", a.heads);
  const json::Value* old_name = c.raw("attention_head_dim");
  a.head_dim = old_name && !old_name->is_null() ? c.size("attention_head_dim") : c.size("head_dim");
  a.bias(c.flag("attention_bias"));
  b.mlp = Mlp{.name = "mixer", .hidden = hidden, .inner = c.size("intermediate_size"), .gated = false, .activation = "relu2"};
  b.mlp.bias(c.flag("mlp_bias"));
  b.latent = c.count("moe_latent_size", 0);
  b.moe = Moe{.name = "mixer", .correction = "gate.e_score_correction_bias", .gated = false, .hidden = hidden,
              .inner = c.size("moe_intermediate_size"), .count = c.size("n_routed_experts"), .active = c.size("num_experts_per_tok"),
              .expert_width = b.latent};
  if (c.count("n_shared_experts", 1)) {
    b.moe.shared = Mlp{.name = "shared_experts", .hidden = hidden, .inner = c.size("moe_shared_expert_intermediate_size"), .gated = false,
                       .activation = "relu2"};
    b.moe.shared->bias(c.flag("mlp_bias"));
  }
  return b;
}

std::vector<std::string> letters(const std::string& pattern) {
  std::vector<std::string> kinds;
  for (const char letter : pattern) kinds.emplace_back(1, letter);
  return kinds;
}

Model build(const Config& root) {
  const Blocks blocks = read_blocks(root);
  std::vector<std::string> kinds = root.words("layers_block_type");
  if (kinds.empty()) kinds = letters(root.word("hybrid_override_pattern"));
  if (kinds.empty()) kinds = {"M", "E", "*", "-"};
  std::vector<std::string> distinct = kinds;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());

  Model model;
  Shell shell;
  shell.prefix = "backbone.", shell.embedding = "embeddings", shell.norm = "norm_f";
  shell.rotary = false;
  shell.hidden = root.size("hidden_size");
  shell.vocabulary = root.size("vocab_size");
  shell.depth = static_cast<std::int64_t>(std::min<std::size_t>(kinds.size(), 100'000));
  shell.tied = tied(root, root, false);
  shell.kind_of = [&](std::int64_t i) {
    return std::lower_bound(distinct.begin(), distinct.end(), kinds[static_cast<std::size_t>(i)]) - distinct.begin();
  };
  const auto layer = [&](const std::string& kind) { return single_layer("norm", NormStyle::rms, shell.hidden, blocks.of(kind)); };
  shell.build = [&](std::int64_t i) { return layer(kinds[static_cast<std::size_t>(i)]); };
  add_decoder(model, shell, head_of(root), labels_of(root));
  model.context = root.count("max_position_embeddings", 0);

  const std::vector<std::string> ahead = letters(root.word("mtp_hybrid_override_pattern", "*E"));
  add_mtp(model, shell, root.count("num_nextn_predict_layers", 0), {}, [&] {
    std::vector<Node> nodes;
    for (const std::string& kind : ahead)
      for (Node& node : layer(kind)) nodes.push_back(std::move(node));
    for (Node& node : nodes) node.buffers.clear();
    return nodes;
  });
  return model;
}

constexpr std::string_view kTypes[] = {"nemotron_h"};

}  // namespace

extern const Family nemotron_h_family{"nemotron_h", kTypes, build};

}  // namespace modelwatch::estimator
