#include <algorithm>

#include "estimator/blocks/decoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// qwen3 with experts in every decoder_sparse_step-th layer that mlp_only_layers does not name.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  p.attention.bias(text.flag("attention_bias"));
  p.attention.qk_norm = QkNorm::head;
  Moe moe;
  moe.hidden = p.shell.hidden;
  moe.inner = text.size("moe_intermediate_size");
  moe.count = text.count("num_experts", 0);
  moe.active = text.size("num_experts_per_tok");
  const std::vector<Count> dense = text.counts("mlp_only_layers");
  const std::int64_t step = text.size("decoder_sparse_step", 1).value();
  p.shell.kind_of = [&](std::int64_t i) {
    const bool named = std::find(dense.begin(), dense.end(), Count(i)) != dense.end();
    return !named && moe.count && (i + 1) % step == 0;
  };
  p.shell.build = [&](std::int64_t i) {
    return decoder_layer(p.norms, p.shell.hidden, branch(p.attention), p.shell.kind_of(i) ? branch(moe) : branch(p.mlp));
  };
  return causal_lm(root, text, p);
}

constexpr std::string_view kTypes[] = {"qwen3_moe"};

}  // namespace

extern const Family qwen3_moe_family{"qwen3_moe", kTypes, build};

}  // namespace modelwatch::estimator
