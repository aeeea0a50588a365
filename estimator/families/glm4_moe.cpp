#include <algorithm>

#include "estimator/blocks/decoder.h"
#include "estimator/blocks/latent.h"
#include "estimator/blocks/layer_types.h"
#include "estimator/blocks/mtp.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// What a type of grouped attention with deepseek's experts differs in.
struct Kin {
  std::string_view type;
  bool o_bias = false;           ///< o has a bias where q, k and v have
  std::string_view qk_norm = ""; ///< key that turns on norms per head; "*" = always
  bool mtp_tables = false;
};
constexpr Kin kKin[] = {
    {"glm4_moe", false, "use_qk_norm", true},
    {"sarvam_moe", false, "use_qk_norm"},
    {"solar_open", false, "use_qk_norm"},
    {"dots1", true, "*"},
    {"exaone_moe", false, "*"},
};

/// Attention with biases and norms by keys, first_k_dense_replace dense layers, then experts with a correction bias and
/// shared ones beside them.
Model build(const Config& root) {
  const Config text = root.text();
  const Kin* kin = std::find_if(std::begin(kKin), std::end(kKin) - 1, [&](const Kin& k) { return k.type == text.type(); });
  const bool all_sparse = kin->type == "solar_open";
  LlamaLike p = all_sparse ? llama_like_without_mlp(text) : llama_like(text);
  Attention& a = p.attention;
  a.qkv_bias(text.flag("attention_bias"));
  a.o_bias = kin->o_bias && a.q_bias;
  if (kin->qk_norm == "*" || text.flag(kin->qk_norm)) a.qk_norm = QkNorm::head;
  a.concatenated = p.shell.rotary_width < a.head_dim;
  Moe moe = deepseek_moe(text);
  moe.correction = "gate.e_score_correction_bias";
  const std::int64_t dense = all_sparse ? 0 : text.count("first_k_dense_replace", 0).value();
  const LayerTypes ffn(text, p.shell.depth, [&](std::int64_t i) { return i < dense ? "dense" : "sparse"; }, "mlp_layer_types");
  const Count window = text.count("sliding_window", 0);
  const std::int64_t pattern = text.size("sliding_window_pattern", 4).value();
  const bool may_slide = window && kin->type == "exaone_moe";
  const LayerTypes types(text, p.shell.depth, [&](std::int64_t i) {
    return may_slide && (i + 1) % pattern ? "sliding_attention" : "full_attention";
  });
  const auto sparse = [&](std::int64_t i) { return ffn.is(i, "sparse"); };
  const auto slides = [&](std::int64_t i) { return types.is(i, "sliding_attention"); };
  set_layers(p, [&](std::int64_t i) { return 2 * slides(i) + sparse(i); },
             [&](std::int64_t i) {
               a.window = slides(i) ? window : Count(0);
               return branch(a);
             },
             [&](std::int64_t i) { return sparse(i) ? branch(moe) : branch(p.mlp); });
  Model model = causal_lm(root, text, p);
  model.mtp_cached = kin->mtp_tables;
  if (kin->mtp_tables)
    add_mtp(model, p.shell, text.count("num_nextn_predict_layers", 0), {true, true},
            [&] { return decoder_layer(p.norms, p.shell.hidden, branch(a), branch(moe)); });
  return model;
}

constexpr std::string_view kTypes[] = {"glm4_moe", "sarvam_moe", "solar_open", "dots1", "exaone_moe"};

}  // namespace

extern const Family glm4_moe_family{"glm4_moe", kTypes, build};

}  // namespace modelwatch::estimator
