#pragma once
#include <string>

#include "estimator/graph/node.h"

namespace modelwatch::estimator {

/// The indexer of sparse latent attention (deepseek_v32, glm_moe_dsa): wq_b ql·Hi·di, wk D·di, a LayerNorm di with bias,
/// weights_proj D·Hi. transformers keeps its keys in the cache, di a token.
struct Indexer {
  std::string name = "self_attn.indexer";
  Count hidden = {}, q_rank = {}, heads = {}, head_dim = {};
};
void add_indexer(Node& attention, const Indexer& i);

}  // namespace modelwatch::estimator
