#include "estimator/blocks/decoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// head_dim is 128 whatever D / H; q and k are normalised per head.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  p.attention.bias(text.flag("attention_bias"));
  p.attention.qk_norm = QkNorm::head;
  return causal_lm(root, text, std::move(p));
}

constexpr std::string_view kTypes[] = {"qwen3", "qwen3_vl_text"};

}  // namespace

extern const Family qwen3_family{"qwen3", kTypes, build};

}  // namespace modelwatch::estimator
