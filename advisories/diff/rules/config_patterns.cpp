#include "advisories/diff/rules/classes.h"
#include "advisories/diff/rules/judges.h"
#include "advisories/diff/rules/tables.h"

namespace modelwatch::advisories {
namespace {

constexpr std::string_view kNested = "a whole nested model is declared, dropped or replaced";

// For the long tail: transformers' 800 classes keep to these forms of names. Tried in this order, after every exact key.
const KeyRule kPatterns_[] = {
    {"*_config|*_configs|encoder|decoder|*_encoder|*_decoder", "nested configuration", kIdentity, kNested, nullptr, "nested_config"},
    {"*_act|*_activation|*_act_fn|*_activation_function|*_act_type|*_nonlinearity|*_activation_fn", "activation", kActivation, {}, nullptr, "any_activation"},
    {"*_eps|*_epsilon", "norm epsilon", kNumerics, {}, nullptr, "any_epsilon"},
    {"*_file|*_path|*_checkpoint", "file to load", kBehaviour, "code that follows it loads another file", judge_file_name, "any_file"},
    {"num_*|n_*|*_size|*_sizes|*_dim|*_dims|*_layers|*_heads|*_channels|*_channel|*_depth|*_depths|*_rank|*_width|*_height|*_features|*_units|*_hidden|"
     "*_blocks|*_groups|*_kernel|*_kernels|*_stride|*_strides|*_padding|*_dilation|*_dilations|*_bias|*_biases|*_ratio|*_ratios|*_multiple_of|*_expand|"
     "*_codebooks|*_embeddings|*_positions|*_queries|*_experts|*_multiplier|*_expansion|*_lens|*_length|*_mult|*_levels|*_stages|*_shape|*_resolution|"
     "*_conv|*_convs|*_kernel_sizes|*_dilation_sizes|*_stacks|*_layer|*_proj|*_projection|*_embed|*_embedding|*_norm|*_norms|*_layernorm|*_layer_norm|add_*|has_*|conv_*",
     "size or presence of a tensor", kShape, {}, nullptr, "any_shape"},
    {"*_scale|*_scaling|*_factor|*_factors|*_limit|*_softcap*|*_temperature|*_alpha|*_beta|*_gamma|*_min|*_max|*_threshold|*_clip|*_rate|*_theta|*_freq|*_decay|*_momentum",
     "numerical parameter", kBehaviour, {}, nullptr, "any_number"},
    {"use_*|is_*|do_*|with_*|apply_*|enable_*|disable_*|share_*|*_enabled|normalize_*|scale_*|*_type|*_mode|*_method|*_strategy|*_func|*_fn|*_ids|*_indices|"
     "*_indexes|*_index|*_window|*_interval|*_period|*_offset|*_token|*_tokens|*_topk|*_top_k|*_causal|*_attention|*_attn|*_gate|*_pattern|max_*|min_*|"
     "mamba_*|ssm_*|linear_*|conv*|vision_*|audio_*|image_*|video_*|text_*|pos_*|rope_*|attn_*|attention_*|moe_*|router_*|expert_*|mlp_*|norm_*|mask_*|"
     "encoder_*|decoder_*|layer_*|hidden_*|hc_*|mm_*|index_*|mtp_*|swa_*|time_*|codebook_*|sampling_*|summary_*|spectral_*|prenet_*|postnet_*|*_std|*_mean|*_prob",
     "switch or parameter of the computation", kBehaviour, {}, nullptr, "any_parameter"},
};

}  // namespace

const RuleTable kPatternRules = kPatterns_;

}  // namespace modelwatch::advisories
