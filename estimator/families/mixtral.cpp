#include "estimator/blocks/decoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  p.attention.window = text.count("sliding_window", 0);
  Moe moe;
  moe.name = "block_sparse_moe";
  moe.gate = "w1", moe.up = "w3", moe.down = "w2";
  moe.hidden = p.shell.hidden;
  moe.inner = p.mlp.inner;
  moe.count = text.size("num_local_experts");
  moe.active = text.size("num_experts_per_tok");
  p.shell.build = [&](std::int64_t) { return decoder_layer(p.norms, p.shell.hidden, branch(p.attention), branch(moe)); };
  return causal_lm(root, text, p);
}

constexpr std::string_view kTypes[] = {"mixtral"};

}  // namespace

extern const Family mixtral_family{"mixtral", kTypes, build};

}  // namespace modelwatch::estimator
