#include "estimator/blocks/decoder.h"
#include "estimator/blocks/latent.h"
#include "estimator/blocks/layer_types.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// Latent attention (the Lite model without a q latent), experts without a correction bias.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = latent_llama_like(text);
  p.mlp.bias(text.flag("mlp_bias"));
  const LatentAttention attention = latent_attention(text);
  Moe moe = deepseek_moe(text);
  if (moe.shared) moe.shared->bias(text.flag("mlp_bias"));
  const std::int64_t dense = text.count("first_k_dense_replace", 0).value();
  const LayerTypes ffn(text, p.shell.depth, [&](std::int64_t i) { return i < dense ? "dense" : "sparse"; }, "mlp_layer_types");
  const auto sparse = [&](std::int64_t i) { return ffn.is(i, "sparse"); };
  set_layers(p, sparse, [&](std::int64_t) { return branch(attention); },
             [&](std::int64_t i) { return sparse(i) ? branch(moe) : branch(p.mlp); });
  return causal_lm(root, text, p);
}

constexpr std::string_view kTypes[] = {"deepseek_v2"};

}  // namespace

extern const Family deepseek_v2_family{"deepseek_v2", kTypes, build};

}  // namespace modelwatch::estimator
