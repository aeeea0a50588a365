#include "advisories/diff/rules/classes.h"
#include "advisories/diff/rules/judges.h"
#include "advisories/diff/rules/tables.h"

namespace modelwatch::advisories {
namespace {

constexpr std::string_view kCacheToo = "key and value projections no longer fit, and the KV cache per token changes with it";
constexpr std::string_view kTied =
    "where the head is tied its own tensor is ignored; where it is untied a missing one is initialised at random";
constexpr std::string_view kPattern = "which layers are of which kind changes, so their tensors no longer fit";

const KeyRule kShape_[] = {
    {"vocab_size|padded_vocab_size", "vocabulary size", kShape, "the embedding and the output head no longer fit the stored tensors"},
    {"hidden_size|n_embd|d_model|dim|embed_dim|hidden_dim|n_embed|model_dim", "hidden size", kShape},
    {"intermediate_size|n_inner|ffn_dim|d_ff|ffn_hidden_size|feed_forward_size|mlp_dim|d_inner", "feed-forward size", kShape},
    {"num_hidden_layers|n_layer|n_layers|num_layers|depth|depths", "number of layers", kShape,
     "layers are missing or stay unused, and memory changes with it"},
    {"num_attention_heads|n_head|n_heads|num_heads", "attention heads", kShape,
     "the same matrices are cut into other heads, so output is wrong even where they fit"},
    {"num_key_value_heads|n_kv_heads|num_kv_heads|n_head_kv|multi_query_group_num|num_key_value_groups", "key/value heads", kShape, kCacheToo},
    {"multi_query|multi_query_attention|new_decoder_architecture", "shared key/value heads", kShape, kCacheToo},
    {"head_dim|d_kv|kv_channels|attention_head_dim|global_head_dim|v_head_dim|qk_head_dim", "head size", kShape, kCacheToo},
    {"q_lora_rank|kv_lora_rank|o_lora_rank|qk_nope_head_dim|qk_rope_head_dim|o_groups", "latent attention size", kShape, kCacheToo},
    {"index_head_dim|index_n_heads", "sparse index size", kShape},
    {"tie_word_embeddings|tie_embedding|weight_tying|tie_weights|tie_encoder_decoder|share_input_output_embed", "tied output head", kShape, kTied},
    {"layer_types|mlp_layer_types|layers_block_type|hybrid_override_pattern|hybrid_layer_pattern|attn_type_list|block_types|compress_ratios|"
     "mtp_hybrid_override_pattern|*_layer_ids|*_layer_indices", "kinds of layers", kShape, kPattern},
    {"first_k_dense_replace|decoder_sparse_step|moe_layer_freq|moe_layer_interval|interleave_moe_layer_step|moe_layers|mlp_only_layers|"
     "num_dense_layers|attn_layer_period|attn_layer_offset|expert_layer_period|expert_layer_offset", "which layers hold experts", kShape, kPattern},
    {"num_experts|num_local_experts|n_routed_experts|moe_num_experts|n_shared_experts|num_shared_experts|moe_num_shared_experts", "experts", kShape},
    {"moe_intermediate_size|shared_expert_intermediate_size|expert_intermediate_size|routed_expert_hidden_size", "expert size", kShape},
    {"type_vocab_size|n_positions|max_source_positions|max_target_positions|num_position_embeddings|num_buckets", "embedding table size", kShape},
    {"attention_bias|mlp_bias|qkv_bias|use_bias|add_bias_linear|add_qkv_bias|bias|multimodal_projector_bias|projector_bias|conv_bias|use_conv_bias|"
     "attn_bias|linear_bias", "bias terms", kShape, "bias tensors are missing or stay unused"},
    {"patch_size|image_size|num_channels|temporal_patch_size|spatial_patch_size|out_hidden_size|num_mel_bins|in_channels|out_channels",
     "input size", kShape, "the tower expects inputs of another size, and its tensors no longer fit"},
    {"num_labels|num_classes|num_reward_heads", "number of labels", kShape, "the classification head no longer fits"},
    {"num_nextn_predict_layers|num_mtp_layers|num_mtp_modules|mtp_num_hidden_layers|use_mtp|mtp_use_dedicated_embeddings|mtp_transformer_layers",
     "multi-token prediction layers", kShape, "speculative decoding with the built-in layers changes, and so does the set of tensors"},
    {"use_qk_norm|qk_norm|qk_layernorm|qk_normalization|use_post_attn_norm|post_layer_norm|rmsnorm|norm_type", "normalisation layers", kShape,
     "norm tensors are missing or stay unused, and every layer computes something else"},
};

}  // namespace

const RuleTable kShapeRules = kShape_;

}  // namespace modelwatch::advisories
