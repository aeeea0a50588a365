#include "estimator/blocks/decoder.h"
#include "estimator/blocks/latent.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// Latent attention in a dense llama.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = latent_llama_like(text);
  p.mlp.bias(text.flag("mlp_bias"));
  p.shell.tied = true;
  const LatentAttention attention = latent_attention(text, p.shell.hidden / p.attention.heads);
  p.shell.build = [&](std::int64_t) { return decoder_layer(p.norms, p.shell.hidden, branch(attention), branch(p.mlp)); };
  return causal_lm(root, text, p);
}

constexpr std::string_view kTypes[] = {"minicpm3"};

}  // namespace

extern const Family minicpm3_family{"minicpm3", kTypes, build};

}  // namespace modelwatch::estimator
