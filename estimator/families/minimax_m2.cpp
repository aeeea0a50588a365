#include "estimator/blocks/decoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// q and k normalised over their full width, mixtral's experts with a correction bias. Declared MTP modules are not in
/// any checkpoint, so that none is counted.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  p.attention.qk_norm = QkNorm::full;
  p.attention.concatenated = true;
  if (const auto rotary = text.maybe("rotary_dim")) p.shell.rotary_width = *rotary;
  const Moe moe{.name = "block_sparse_moe", .correction = "e_score_correction_bias", .gate = "w1", .up = "w3", .down = "w2",
                .hidden = p.shell.hidden, .inner = p.mlp.inner, .count = text.size("num_local_experts"),
                .active = text.size("num_experts_per_tok")};
  set_layers(p, [](std::int64_t) { return 0; }, [&](std::int64_t) { return branch(p.attention); },
             [&](std::int64_t) { return branch(moe); });
  return causal_lm(root, text, p);
}

constexpr std::string_view kTypes[] = {"minimax_m2"};

}  // namespace

extern const Family minimax_m2_family{"minimax_m2", kTypes, build};

}  // namespace modelwatch::estimator
