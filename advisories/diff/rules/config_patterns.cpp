#include "advisories/diff/rules/classes.h"
#include "advisories/diff/rules/judges.h"
#include "advisories/diff/rules/tables.h"

namespace modelwatch::advisories {
namespace {

constexpr std::string_view kNested = "a whole nested model is declared, dropped or replaced";

// For the long tail: transformers' 800 classes keep to these forms of names. Tried in this order, after every exact key.
const KeyRule kPatterns_[] = {
    {"aff_block_r|asm|backbone_channel_list|bi_data|channel_consistent_masking|confidence_head|deepstack_layer_map|"
     "emb_layer_norm_before|embedding_fraction|full_attn_idxs|gnn_layers_types|head_aggregation|latent_query_num|"
     "ln_before_adapter|lags_sequence|patch_prenorm|pool_scales|qk_layer_norms_perceiver|segment_types|"
     "spatial_tuning_adapter_inplanes|trigram_input|up|bin_configurations|intraclass_block_number|key_query_shared_bottleneck|"
     "learn_initial_query|concat_input|auxiliary_concat_input|attractor_kind|resi_connection",
     "size or presence of a tensor", kShape, {}, nullptr, "any_shape"},
    {"action_tanh|aggregation_labels|allow_empty_column_selection|atrous_rates|beta|border_removal_distance|bypass_transformer|"
     "cae_init_values|decrease_trk_keep_alive_for_empty_masklets|detectron2_config_args|distribution_output|eval_idx|fast_qkv|"
     "features_only|flatten_patch_embeds|flip_pairs|frame_ms|fusion_droppath|img_max_token_num|img_range|indexer_budget|"
     "kda_lower_bound|lambda_std_dev|log_scaling_n_floor|mem_len|model_args|moving_average|offsets|out_point_positions2D|"
     "overlap|padding_kv|padding_q|patch_in_forward|patch_temporal|pool_q_only|prefix_lm|reduction|rescale_every|"
     "reshape_hidden_states|reshape_last_stage|reuse_len|second_expert_policy|segment_means_seq_len|sigmoid_bias_for_mem_enc|"
     "sigmoid_scale_for_mem_enc|sinkhorn_iterations|target_bandwidths|tokenize_function|tolerance|top_prob_values|truncate_seq|"
     "visual_prompter_apply|vocabulary_map|gate_lower_bound|mla_use_nope|mup_denominator|normalization_function",
     "switch or parameter of the computation", kBehaviour, {}, nullptr, "any_parameter"},
    {"*_config|*_configs|encoder|decoder|*_encoder|*_decoder", "nested configuration", kIdentity, kNested, nullptr, "nested_config"},
    {"*_act|*_activation|*_act_fn|*_activation_function|*_act_type|*_nonlinearity|*_activation_fn", "activation", kActivation, {}, nullptr, "any_activation"},
    {"*_eps|*_epsilon", "norm epsilon", kNumerics, {}, nullptr, "any_epsilon"},
    {"*_file|*_path|*_checkpoint", "file to load", kBehaviour, "code that follows it loads another file", judge_file_name, "any_file"},
    {"*_id|doc_sep|title_sep|seg_token|cls|eos|*_separator", "token id", kTokens, {}, judge_token_id, "any_token_id"},
    {"*_weight|*_weights|contrastive_*|*_ema_*|gradient_clipping|freeze|loss|loss_reduction|task_*|class_order|gradient_*|stop_gradient*|lsd_*|seed|train_*|"
     "special_visual_initialize|distil|distilled|dataset_*|alpha_initializer|inv_coeff_init_option|embedding_init_target|global_backprop_*|random_refpoints_xy",
     "training parameter", kTraining, {}, nullptr, "any_weight"},
    {"num_*|n_*|*_size|*_sizes|*_dim|*_dims|*_layers|*_heads|*_channels|*_channel|*_depth|*_depths|*_rank|*_width|*_height|*_features|*_units|*_hidden|"
     "*_blocks|*_groups|*_kernel|*_kernels|*_stride|*_strides|*_padding|*_dilation|*_dilations|*_bias|*_biases|*_ratio|*_ratios|*_multiple_of|*_expand|"
     "*_codebooks|*_embeddings|*_positions|*_queries|*_experts|*_multiplier|*_expansion|*_lens|*_length|*_mult|*_levels|*_stages|*_shape|*_resolution|"
     "*_conv|*_convs|*_kernel_sizes|*_dilation_sizes|*_stacks|*_layer|*_proj|*_projection|*_embed|*_embedding|*_norm|*_norms|*_layernorm|*_layer_norm|add_*|has_*|conv_*|"
     "d_*|dim_*|dff|expand|hash_*|ngram*|*_ngram*|channels|in_chans|cardinality|kernel_*|stride*|dilation*|repeats|layers|*_repeats|*_bins|*_buckets|*_per_stage|"
     "blocks_per_*|block_*|heads_per_*|durations|intermediate_size_*|vocab_size_*|resampler_*|perceiver_*|vocoder_*|upsample*|downsample*|down_*|stage_*|width_*|"
     "depth_*|resolution|embedding_dim*|*_latents|*_latents_2d|*_num_flows|inner_group_num|generator|architecture|resnet_head|structure_head|rm_head|lm_head|"
     "learned_pos_emb|*_pos_embds|shared_expert_sink|zero_expert_num|connector|bridge_connector|upsampler|upscale|vocab_list|quantiles|params|standardize|"
     "query_num|width|separate_cls|two_stage*|group_detr|vector_quantization_*|divisor|double_latent|projector_*|indexer_types",
     "size or presence of a tensor", kShape, {}, nullptr, "any_shape"},
    {"*_scale|*_scaling|*_factor|*_factors|*_limit|*_softcap*|*_temperature|*_alpha|*_beta|*_gamma|*_min|*_max|*_threshold|*_clip|*_rate|*_theta|*_freq|*_decay|*_momentum",
     "numerical parameter", kBehaviour, {}, nullptr, "any_number"},
    {"use_*|is_*|do_*|with_*|apply_*|enable_*|disable_*|share_*|*_enabled|normalize_*|scale_*|*_type|*_mode|*_method|*_strategy|*_func|*_fn|*_ids|*_indices|"
     "*_indexes|*_index|*_window|*_interval|*_period|*_offset|*_token|*_tokens|*_topk|*_top_k|*_causal|*_attention|*_attn|*_gate|*_pattern|max_*|min_*|"
     "mamba_*|ssm_*|linear_*|conv*|vision_*|audio_*|image_*|video_*|text_*|pos_*|rope_*|attn_*|attention_*|moe_*|router_*|expert_*|mlp_*|norm_*|mask_*|"
     "encoder_*|decoder_*|layer_*|hidden_*|hc_*|mm_*|index_*|mtp_*|swa_*|time_*|codebook_*|sampling_*|summary_*|spectral_*|prenet_*|postnet_*|*_std|*_mean|*_prob|"
     "*_thresh|*_threshold*|*_delay|*_delta|*_slope|*_cap|softcap|gating|causal|legacy|norm|normalize|mode|padding|pad_*|*_pad|stride|scale|scaling|pooling|"
     "position_*|relative_*|rel_*|local_*|bias_*|chunk_*|*_chunk*|conf_*|det_*|hotstart_*|multimask_*|dynamic_*|lsh_*|loop_*|output_*|return_*|slow_*|"
     "coarse_*|fine*|clip_*|clamp_*|keep_*|cca_*|s2r_*|rotary_*|*_cycles|speaking_*|start_*|end_*|select_*|cell_*|average_*|reset_*|exclude_*|infer_*|force_*|"
     "recondition_*|suppress_*|fill_*|hash_*|nms_*|trk_*|duration_*|*_steps|seconds_*|*_seconds|samples_*|tokens_*|position_biased_input|*_pooling|merge*|tile_*|"
     "batch_*|block_use_*|global_*|language_*|lang*|default_*|prompt_*|tokenizer_*|quantization_*|sliding_windows|swiglu_*|ignore_*|altup_*|compress*|cross_*",
     "switch or parameter of the computation", kBehaviour, {}, nullptr, "any_parameter"},
};

}  // namespace

const RuleTable kPatternRules = kPatterns_;

}  // namespace modelwatch::advisories
