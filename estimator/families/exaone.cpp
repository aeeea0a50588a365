#include "estimator/blocks/decoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// A llama under gpt2's names.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  p.shell.prefix = "transformer.";
  p.shell.embedding = "wte", p.shell.layers = "h", p.shell.norm = "ln_f";
  p.norms.before_mixer = "ln_1", p.norms.before_ffn = "ln_2";
  p.attention.name = "attn.attention", p.attention.o = "out_proj";
  p.mlp.gate = "c_fc_0", p.mlp.up = "c_fc_1", p.mlp.down = "c_proj";
  return causal_lm(root, text, std::move(p));
}

constexpr std::string_view kTypes[] = {"exaone"};

}  // namespace

extern const Family exaone_family{"exaone", kTypes, build};

}  // namespace modelwatch::estimator
