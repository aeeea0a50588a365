#include "estimator/blocks/decoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// llama and the many types that are it under another name.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  p.attention.bias(text.flag("attention_bias"));
  p.mlp.bias(text.flag("mlp_bias"));
  return causal_lm(root, text, std::move(p));
}

constexpr std::string_view kTypes[] = {"llama"};

}  // namespace

extern const Family llama_family{"llama", kTypes, build};

}  // namespace modelwatch::estimator
