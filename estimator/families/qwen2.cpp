#include "estimator/blocks/decoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// Biases on q, k and v in every configuration: no key says so. Layers from max_window_layers on slide.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  p.attention.qkv_bias(true);
  return causal_lm(root, text, std::move(p));
}

constexpr std::string_view kTypes[] = {"qwen2"};

}  // namespace

extern const Family qwen2_family{"qwen2", kTypes, build};

}  // namespace modelwatch::estimator
