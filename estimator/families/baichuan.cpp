#include "estimator/blocks/decoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// A llama with q, k and v in W_pack; the 13B has linear biases on the scores instead of rotary tables.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  p.attention.fused = "W_pack";
  p.attention.kv_heads = p.attention.heads;
  p.shell.rotary = p.attention.rotary = p.shell.hidden <= Count(4096);
  return causal_lm(root, text, std::move(p));
}

constexpr std::string_view kTypes[] = {"baichuan"};

}  // namespace

extern const Family baichuan_family{"baichuan", kTypes, build};

}  // namespace modelwatch::estimator
