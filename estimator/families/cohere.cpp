#include "estimator/blocks/decoder.h"
#include "estimator/blocks/layer_types.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// Attention and feed-forward read one LayerNorm (without bias) and are added at once; the head is tied.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  Attention& a = p.attention;
  a.bias(text.flag("attention_bias"));
  if (text.flag("use_qk_norm")) a.qk_norm = QkNorm::each;
  p.shell.style = p.norms.style = a.qk_style = NormStyle::layer_weight;
  p.norms.parallel = true, p.norms.before_ffn = "";
  p.shell.tied = true;
  Moe moe{.hidden = p.shell.hidden, .inner = p.mlp.inner, .count = text.count("num_experts", 0),
          .active = text.count("num_experts_per_tok", 1)};
  if (const Count shared = text.count("num_shared_experts", 0); shared)
    moe.shared = Mlp{.name = "shared_experts", .hidden = p.shell.hidden, .inner = shared * p.mlp.inner};
  Mlp dense = p.mlp;
  dense.inner = text.size("prefix_dense_intermediate_size", p.mlp.inner);
  const Count window = text.count("sliding_window", 0);
  const bool slides = text.type() != "cohere", sparse = text.type() == "cohere2_moe";
  const LayerTypes types(text, p.shell.depth,
                         [&](std::int64_t i) { return slides && (i + 1) % 4 ? "sliding_attention" : "full_attention"; });
  const LayerTypes ffn(text, p.shell.depth, [&](std::int64_t) { return sparse ? "sparse" : "dense"; }, "mlp_layer_types");
  p.shell.kind_of = [&](std::int64_t i) { return 2 * types.is(i, "sliding_attention") + ffn.is(i, "sparse"); };
  p.shell.build = [&](std::int64_t i) {
    a.window = types.is(i, "sliding_attention") ? window : Count(0);
    return decoder_layer(p.norms, p.shell.hidden, branch(a), ffn.is(i, "sparse") ? branch(moe) : branch(dense));
  };
  return causal_lm(root, text, p);
}

constexpr std::string_view kTypes[] = {"cohere", "cohere2", "cohere2_moe"};

}  // namespace

extern const Family cohere_family{"cohere", kTypes, build};

}  // namespace modelwatch::estimator
