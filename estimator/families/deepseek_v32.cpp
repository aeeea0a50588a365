#include <algorithm>

#include "estimator/blocks/decoder.h"
#include "estimator/blocks/indexer.h"
#include "estimator/blocks/latent.h"
#include "estimator/blocks/layer_types.h"
#include "estimator/blocks/linear.h"
#include "estimator/blocks/mtp.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// What a type of sparse or plain latent attention adds to deepseek_v3.
struct Kin {
  std::string_view type;
  bool indexer = false;     ///< an indexer in the layers that indexer_types names
  bool correction = true;   ///< a correction bias of the router
  Count dense = 1;          ///< leading dense layers where the config does not say
  MtpTables mtp = {};       ///< tables that an MTP module has of its own
  bool post_norm = false;   ///< a norm inside the expert block
  bool mtp_cached = false;  ///< llama.cpp keeps a cache for the MTP layers
};
constexpr Kin kKin[] = {
    {.type = "deepseek_v32", .indexer = true, .mtp = {true, true}},
    {.type = "glm_moe_dsa", .indexer = true, .mtp_cached = true},
    {.type = "axk1", .post_norm = true},
    {.type = "glm4_moe_lite", .mtp = {true, true}, .mtp_cached = true},
    {.type = "youtu", .dense = 1 << 20},
};

/// "full" or "shared" for each layer: a list, a string of F and S, or a frequency with an offset.
std::string indexer_rule(const Config& text, std::int64_t layer) {
  if (const std::string pattern = text.raw("index_topk_pattern") ? text.word("index_topk_pattern") : ""; !pattern.empty())
    return static_cast<std::size_t>(layer) < pattern.size() && pattern[static_cast<std::size_t>(layer)] == 'S' ? "shared" : "full";
  const std::int64_t frequency = text.size("index_topk_freq", 1).value();
  const std::int64_t offset = text.count("index_skip_topk_offset", 2).value();
  return std::max<std::int64_t>(layer - offset + 1, 0) % frequency == 0 ? "full" : "shared";
}

Model build(const Config& root) {
  const Config text = root.text();
  const Kin* kin = std::find_if(std::begin(kKin), std::end(kKin) - 1, [&](const Kin& k) { return k.type == text.type(); });
  LlamaLike p = latent_llama_like(text);
  if (kin->type == "youtu") p.mlp.bias(text.flag("mlp_bias"));
  const LatentAttention attention = latent_attention(text);
  Moe moe;
  if (kin->type != "youtu") moe = deepseek_moe(text);
  if (kin->correction) moe.correction = "gate.e_score_correction_bias";
  const std::int64_t dense = text.count("first_k_dense_replace", kin->dense).value();
  const LayerTypes ffn(text, p.shell.depth, [&](std::int64_t i) { return i < dense ? "dense" : "sparse"; }, "mlp_layer_types");
  const LayerTypes indexers(text, p.shell.depth, [&](std::int64_t i) { return indexer_rule(text, i); }, "indexer_types");
  const auto sparse = [&](std::int64_t i) { return ffn.is(i, "sparse"); };
  const auto indexed = [&](std::int64_t i) { return kin->indexer && indexers.is(i, "full"); };
  const auto mixer = [&](bool with_indexer) {
    Branch b = branch(attention);
    if (with_indexer)
      add_indexer(b.node, Indexer{.hidden = attention.hidden, .q_rank = attention.q_rank, .heads = text.size("index_n_heads"),
                                  .head_dim = text.size("index_head_dim")});
    return b;
  };
  const auto experts = [&] {
    Branch b = branch(moe);
    if (kin->post_norm) add_norm(b.node.tensors, "mlp.post_mlp_layernorm", p.shell.hidden, NormStyle::rms);
    return b;
  };
  set_layers(p, [&](std::int64_t i) { return 2 * indexed(i) + sparse(i); }, [&](std::int64_t i) { return mixer(indexed(i)); },
             [&](std::int64_t i) { return sparse(i) ? experts() : branch(p.mlp); });
  Model model = causal_lm(root, text, p);
  model.mtp_cached = kin->mtp_cached;
  if (kin->type != "youtu")
    add_mtp(model, p.shell, text.count("num_nextn_predict_layers", 0), kin->mtp,
            [&] { return decoder_layer(p.norms, p.shell.hidden, mixer(kin->indexer), experts()); });
  return model;
}

constexpr std::string_view kTypes[] = {"deepseek_v32", "glm_moe_dsa", "axk1", "glm4_moe_lite", "youtu"};

}  // namespace

extern const Family deepseek_v32_family{"deepseek_v32", kTypes, build};

}  // namespace modelwatch::estimator
