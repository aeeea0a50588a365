#include "estimator/blocks/decoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// q, k and v in one matrix, gate and up in another.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  p.attention.fused = "qkv_proj";
  p.attention.concatenated = p.shell.rotary_width < p.attention.head_dim;
  p.attention.window = text.count("sliding_window", 0);
  p.mlp.fused = "gate_up_proj";
  return causal_lm(root, text, std::move(p));
}

constexpr std::string_view kTypes[] = {"phi3"};

}  // namespace

extern const Family phi3_family{"phi3", kTypes, build};

}  // namespace modelwatch::estimator
