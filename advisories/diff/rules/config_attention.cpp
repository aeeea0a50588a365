#include "advisories/diff/rules/classes.h"
#include "advisories/diff/rules/judges.h"
#include "advisories/diff/rules/tables.h"

namespace modelwatch::advisories {
namespace {

const KeyRule kAttention_[] = {
    {"sliding_window|window_size|local_attention|attention_window|sliding_window_size", "attention window", kAttention,
     "attention reaches another distance back, so long inputs give other output and the cache another size"},
    {"use_sliding_window|max_window_layers|sliding_window_pattern|full_attention_interval|global_attn_every_n_layers", "windowed layers", kAttention,
     "other layers attend in a window, so long inputs give other output"},
    {"is_decoder|add_cross_attention|is_causal|use_bidirectional_attention|is_prefix_lm", "direction of attention", kAttention},
    {"attn_logit_softcapping|final_logit_softcapping|logit_softcapping|query_pre_attn_scalar|attention_multiplier|logits_scaling|"
     "residual_multiplier|embedding_multiplier|scale_attn_weights|scale_attn_by_inverse_layer_idx|logit_scale|attn_logit_scale", "scaling", kAttention},
    {"attention_chunk_size|index_topk|sparse_*|attention_sink|use_sparse_attention|*_sink_bias|index_topk_freq|index_topk_pattern", "sparse attention", kAttention},
    {"position_embedding_type|alibi|use_alibi|pos_emb|positional_embedding|relative_attention_num_buckets|relative_attention_max_distance|"
     "use_pos_enc|position_buckets", "positions", kAttention},
    {"use_logn_attn|use_dynamic_ntk|no_rope_layers|no_rope_layer_interval|nope_layer_interval|attn_temperature_tuning|floor_scale|attn_scale",
     "long-context attention", kAttention},
    {"num_experts_per_tok|num_experts_per_token|experts_per_token|moe_topk|top_k_experts|moe_k|num_selected_experts", "experts per token", kAttention,
     "another number of experts answers each token: output and speed change"},
    {"n_group|topk_group|norm_topk_prob|routed_scaling_factor|scoring_func|topk_method|moe_router_activation_func|use_routing_bias|"
     "moe_renormalize|router_bias|use_moe_router_bias|num_expert_group|use_grouped_topk", "expert routing", kAttention,
     "tokens are routed to other experts or weighted differently"},
};

const KeyRule kRope_[] = {
    {"rope_theta|rotary_emb_base|rope_base|rope_parameters/rope_theta|swa_rope_theta|global_rope_theta|local_rope_theta", "rope base", kRope,
     {}, judge_rope_theta},
    {"rope_local_base_freq", "rope base of windowed layers", kRope, {}, judge_rope_theta},
    {"rope_scaling|rope_parameters", "rope scaling", kRope, {}, judge_rope_scaling},
    {"rope_scaling/type|rope_scaling/rope_type|rope_parameters/rope_type|rope_parameters/*/rope_type", "rope scaling type", kRope, {}, judge_rope_scaling,
     "rope_scaling.rope_type"},
    {"rope_scaling/original_max_position_embeddings|rope_parameters/original_max_position_embeddings|original_max_position_embeddings|initial_context_length",
     "length before scaling", kRope},
    {"rope_scaling/*|rope_parameters/*|factor|rope_ratio|rope_factor|short_factor|long_factor", "rope scaling parameter", kRope, {}, nullptr, "rope_scaling.any"},
    {"partial_rotary_factor|rotary_pct|rotary_dim|rotary_ndims|rope_interleave|rotary_emb_fraction|original_rope|rope_mode|use_mrope|mrope_section|"
     "mrope_interleaved|qk_rope_interleave|indexer_rope_interleave", "rotated part of the heads", kRope},
    {"max_position_embeddings|max_sequence_length|max_seq_len|max_seq_length|seq_length|n_ctx|context_length|seq_len|max_context_length",
     "context length", kLength, {}, judge_length},
    {"model_max_length", "context length", kLength, "a second length beside max_position_embeddings: engines disagree on which one wins"},
};

}  // namespace

const RuleTable kAttentionRules = kAttention_;
const RuleTable kRopeRules = kRope_;

}  // namespace modelwatch::advisories
