#include "estimator/blocks/decoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// LayerNorms, optional biases on attention and head, mixtral's experts.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  p.attention.bias(text.flag("attention_bias"));
  p.shell.style = p.norms.style = NormStyle::layer;
  p.shell.head_bias = text.flag("lm_head_bias");
  const Moe moe{.name = "block_sparse_moe", .gate = "w1", .up = "w3", .down = "w2", .hidden = p.shell.hidden,
                .inner = p.mlp.inner, .count = text.size("num_local_experts"), .active = text.size("num_experts_per_tok")};
  set_layers(p, [](std::int64_t) { return 0; }, [&](std::int64_t) { return branch(p.attention); },
             [&](std::int64_t) { return branch(moe); });
  return causal_lm(root, text, p);
}

constexpr std::string_view kTypes[] = {"phimoe"};

}  // namespace

extern const Family phimoe_family{"phimoe", kTypes, build};

}  // namespace modelwatch::estimator
