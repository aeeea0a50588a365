#include "estimator/blocks/decoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// A llama under its own names, q, k and v interleaved in one matrix.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  p.shell.embedding = "tok_embeddings", p.shell.head = "output";
  p.norms.before_mixer = "attention_norm", p.norms.before_ffn = "ffn_norm";
  p.attention.name = "attention", p.attention.fused = "wqkv", p.attention.o = "wo";
  p.attention.bias(text.flag("bias"));
  p.mlp.name = "feed_forward", p.mlp.gate = "w1", p.mlp.up = "w3", p.mlp.down = "w2";
  return causal_lm(root, text, std::move(p));
}

constexpr std::string_view kTypes[] = {"internlm2"};

}  // namespace

extern const Family internlm2_family{"internlm2", kTypes, build};

}  // namespace modelwatch::estimator
