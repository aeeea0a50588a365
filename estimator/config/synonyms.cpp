#include "estimator/config/synonyms.h"

#include <algorithm>

namespace modelwatch::estimator {
namespace {

struct Row {
  std::string_view key;
  std::string_view names[6];
};

constexpr Row kRows[] = {
    {"hidden_size", {"n_embd", "d_model", "dim", "embed_dim"}},
    {"num_hidden_layers", {"n_layer", "n_layers", "num_layers"}},
    {"num_attention_heads", {"n_head", "n_heads", "num_heads"}},
    {"intermediate_size", {"n_inner", "ffn_dim", "ffn_hidden_size"}},
    {"num_key_value_heads", {"multi_query_group_num", "n_head_kv", "num_kv_heads"}},
    {"max_position_embeddings", {"n_positions", "n_ctx", "seq_length", "max_seq_len", "model_max_length"}},
    {"vocab_size", {"padded_vocab_size"}},
    {"dtype", {"torch_dtype"}},
    {"num_experts", {"num_local_experts", "n_routed_experts", "moe_num_experts", "num_routed_experts"}},
    {"num_local_experts", {"num_experts", "n_routed_experts", "moe_num_experts", "num_routed_experts"}},
    {"n_routed_experts", {"num_experts", "num_local_experts", "moe_num_experts", "num_routed_experts"}},
    {"num_experts_per_tok", {"num_experts_per_token", "moe_topk", "moe_k", "top_k"}},
    {"head_dim", {"kv_channels", "attention_head_dim"}},
    {"layer_types", {"layers_block_type"}},
    {"layers_block_type", {"layer_types"}},
};

}  // namespace

std::span<const std::string_view> other_names(std::string_view key) {
  const auto row = std::ranges::find(kRows, key, &Row::key);
  if (row == std::end(kRows)) return {};
  const auto end = std::ranges::find(row->names, std::string_view());
  return {std::begin(row->names), end};
}

}  // namespace modelwatch::estimator
