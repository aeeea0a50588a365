#include "estimator/blocks/decoder.h"
#include "estimator/blocks/layer_types.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// Biases everywhere, a sink a head, every other layer sliding, experts in two fused tensors with biases.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  Attention& a = p.attention;
  a.bias(text.flag("attention_bias", true));
  a.sinks = true;
  const Moe moe{.router = "router", .router_bias = true, .layout = Experts::fused_transposed, .expert_bias = true,
                .hidden = p.shell.hidden, .inner = p.mlp.inner, .count = text.size("num_local_experts"),
                .active = text.size("num_experts_per_tok")};
  const LayerTypes types(text, p.shell.depth,
                         [](std::int64_t i) { return i % 2 == 0 ? "sliding_attention" : "full_attention"; });
  const Count window = text.count("sliding_window", 0);
  const auto slides = [&](std::int64_t i) { return types.is(i, "sliding_attention"); };
  set_layers(p, slides,
             [&](std::int64_t i) {
               a.window = slides(i) ? window : Count(0);
               return branch(a);
             },
             [&](std::int64_t) { return branch(moe); });
  return causal_lm(root, text, p);
}

constexpr std::string_view kTypes[] = {"gpt_oss"};

}  // namespace

extern const Family gpt_oss_family{"gpt_oss", kTypes, build};

}  // namespace modelwatch::estimator
