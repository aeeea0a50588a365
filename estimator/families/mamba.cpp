#include "estimator/blocks/decoder.h"
#include "estimator/blocks/mamba.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// State-space layers alone: a norm and a mixer each.
Model build(const Config& root) {
  Model model;
  Shell shell;
  shell.prefix = "backbone.", shell.embedding = "embeddings", shell.norm = "norm_f";
  shell.rotary = false;
  shell.hidden = root.size("hidden_size");
  shell.vocabulary = root.size("vocab_size");
  shell.depth = root.count("num_hidden_layers", 0);
  shell.tied = tied(root, root, root.type() != "mamba2");
  const bool second = root.type() == "mamba2";
  const Count expanded = static_cast<std::int64_t>(root.real("expand", 2) * shell.hidden.real());
  const Count inner = second ? expanded : root.size("intermediate_size", expanded);
  shell.build = [&](std::int64_t) {
    Node mixer;
    if (second) {
      mixer = mamba2_node({.hidden = shell.hidden, .inner = inner, .heads = root.size("num_heads"), .groups = root.size("n_groups"),
                           .state = root.size("state_size"), .kernel = root.size("conv_kernel"), .bias = root.flag("use_bias"),
                           .conv_bias = root.flag("use_conv_bias", true)});
    } else {
      const json::Value* rank = root.raw("time_step_rank");  // "auto" = D / 16
      const Count automatic = ceil_div(shell.hidden, 16);
      mixer = mamba_node({.hidden = shell.hidden, .inner = inner, .state = root.size("state_size"), .kernel = root.size("conv_kernel"),
                          .rank = rank && rank->string() ? automatic : root.size("time_step_rank", automatic),
                          .bias = root.flag("use_bias"), .conv_bias = root.flag("use_conv_bias", true)});
    }
    return single_layer("norm", NormStyle::rms, shell.hidden, {std::move(mixer), 1});
  };
  add_decoder(model, shell, head_of(root), labels_of(root));
  return model;
}

constexpr std::string_view kTypes[] = {"mamba", "falcon_mamba", "mamba2"};

}  // namespace

extern const Family mamba_family{"mamba", kTypes, build};

}  // namespace modelwatch::estimator
