#include "estimator/blocks/decoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  p.attention.window = text.count("sliding_window", 0);
  return causal_lm(root, text, std::move(p));
}

constexpr std::string_view kTypes[] = {"mistral"};

}  // namespace

extern const Family mistral_family{"mistral", kTypes, build};

}  // namespace modelwatch::estimator
