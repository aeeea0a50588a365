#include "estimator/blocks/decoder.h"
#include "estimator/blocks/latent.h"
#include "estimator/blocks/mtp.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// Latent attention; first_k_dense_replace dense layers, then experts with a correction bias and shared ones beside them;
/// num_nextn_predict_layers modules for multi-token prediction, each with its own embedding and head.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = latent_llama_like(text);
  const LatentAttention attention = latent_attention(text);
  Moe moe = deepseek_moe(text);
  moe.correction = "gate.e_score_correction_bias";
  const std::int64_t dense = text.count("first_k_dense_replace", 0).value();
  p.shell.kind_of = [&](std::int64_t i) { return i >= dense; };
  p.shell.build = [&](std::int64_t i) {
    return decoder_layer(p.norms, p.shell.hidden, branch(attention), i >= dense ? branch(moe) : branch(p.mlp));
  };
  Model model = causal_lm(root, text, p);
  add_mtp(model, p.shell, text.count("num_nextn_predict_layers", 0), {.embedding = true, .head = true},
          [&] { return decoder_layer(p.norms, p.shell.hidden, branch(attention), branch(moe)); });
  return model;
}

constexpr std::string_view kTypes[] = {"deepseek_v3", "kimi_k2"};

}  // namespace

extern const Family deepseek_v3_family{"deepseek_v3", kTypes, build};

}  // namespace modelwatch::estimator
