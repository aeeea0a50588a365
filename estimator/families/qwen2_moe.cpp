#include <algorithm>

#include "estimator/blocks/decoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// Biases on q, k and v, experts of their own width and one shared behind a gate.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  p.attention.qkv_bias(text.flag("qkv_bias", true));
  Moe moe{.hidden = p.shell.hidden, .inner = text.size("moe_intermediate_size"), .count = text.count("num_experts", 0),
          .active = text.size("num_experts_per_tok")};
  moe.shared = Mlp{.name = "shared_expert", .hidden = p.shell.hidden, .inner = text.size("shared_expert_intermediate_size")};
  moe.shared_gate = "shared_expert_gate";
  const std::vector<Count> dense = text.counts("mlp_only_layers");
  const std::int64_t step = text.size("decoder_sparse_step", 1).value();
  const auto sparse = [&](std::int64_t i) {
    return moe.count && (i + 1) % step == 0 && std::find(dense.begin(), dense.end(), Count(i)) == dense.end();
  };
  set_layers(p, sparse, [&](std::int64_t) { return branch(p.attention); },
             [&](std::int64_t i) { return sparse(i) ? branch(moe) : branch(p.mlp); });
  return causal_lm(root, text, p);
}

constexpr std::string_view kTypes[] = {"qwen2_moe"};

}  // namespace

extern const Family qwen2_moe_family{"qwen2_moe", kTypes, build};

}  // namespace modelwatch::estimator
