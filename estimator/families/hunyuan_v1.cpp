#include "estimator/blocks/decoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// q and k normalised per head; the moe with experts and a shared MLP of intermediate_size in every layer.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  p.attention.bias(text.flag("attention_bias"));
  p.attention.qk_norm = QkNorm::head;
  p.attention.q_norm = "query_layernorm", p.attention.k_norm = "key_layernorm";
  if (text.type() == "hunyuan_v1_dense") return causal_lm(root, text, std::move(p));
  const std::vector<Count> counts = text.counts("num_experts"), active = text.counts("moe_topk");
  const auto of = [](const std::vector<Count>& list, std::int64_t i, Count fallback) {
    return list.empty() ? fallback : list[std::min(list.size() - 1, static_cast<std::size_t>(i))];
  };
  const auto experts = [&](std::int64_t i) {
    Moe moe{.router = "gate.wg", .hidden = p.shell.hidden, .inner = p.mlp.inner, .count = of(counts, i, 1), .active = of(active, i, 1)};
    moe.shared = Mlp{.name = "shared_mlp", .hidden = p.shell.hidden, .inner = p.mlp.inner};
    return branch(moe);
  };
  set_layers(p, [&](std::int64_t i) { return of(counts, i, 1).value(); }, [&](std::int64_t) { return branch(p.attention); }, experts);
  return causal_lm(root, text, p);
}

constexpr std::string_view kTypes[] = {"hunyuan_v1_dense", "hunyuan_v1_moe"};

}  // namespace

extern const Family hunyuan_v1_family{"hunyuan_v1", kTypes, build};

}  // namespace modelwatch::estimator
