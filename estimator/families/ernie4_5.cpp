#include "estimator/blocks/decoder.h"
#include "estimator/blocks/linear.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// Biases by one key, the head's too. ernie4_5_moe: experts from layer to layer by start, end and interval; the
/// correction bias is a parameter [1, E] beside the router.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  const bool biased = text.flag("use_bias");
  p.attention.bias(biased);
  p.mlp.bias(biased);
  p.shell.tied = true;
  if (text.type() == "ernie4_5") return causal_lm(root, text, std::move(p));
  p.shell.head_bias = biased;
  Moe moe{.hidden = p.shell.hidden, .inner = text.size("moe_intermediate_size"), .count = text.size("moe_num_experts"),
          .active = text.size("moe_k")};
  if (const Count shared = text.count("moe_num_shared_experts", 0); shared) {
    moe.shared = Mlp{.name = "shared_experts", .hidden = p.shell.hidden, .inner = shared * moe.inner};
    moe.shared->bias(biased);
  }
  const std::int64_t start = text.count("moe_layer_start_index", 1).value();
  const json::Value* end_key = text.raw("moe_layer_end_index");  // -1 = the last layer
  const std::int64_t end = end_key && end_key->integer() && *end_key->integer() >= 0 ? *end_key->integer() : p.shell.depth.value() - 1;
  const std::int64_t interval = text.size("moe_layer_interval", 1).value();
  const auto sparse = [&](std::int64_t i) { return (i + 1) % interval == 0 && i >= start && i <= end; };
  set_layers(p, sparse, [&](std::int64_t) { return branch(p.attention); },
             [&](std::int64_t i) {
               if (!sparse(i)) return branch(p.mlp);
               Branch b = branch(moe);
               add_tensor(b.node.tensors, "mlp.moe_statics.e_score_correction_bias", {1, moe.count});
               b.node.balanced = true;
               return b;
             });
  return causal_lm(root, text, p);
}

constexpr std::string_view kTypes[] = {"ernie4_5", "ernie4_5_moe"};

}  // namespace

extern const Family ernie4_5_family{"ernie4_5", kTypes, build};

}  // namespace modelwatch::estimator
