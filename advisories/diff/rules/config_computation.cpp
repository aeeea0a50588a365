#include "advisories/diff/rules/classes.h"
#include "advisories/diff/rules/judges.h"
#include "advisories/diff/rules/tables.h"

namespace modelwatch::advisories {
namespace {

const KeyRule kComputation_[] = {
    {"dtype|torch_dtype|params_dtype", "stored dtype", kMemory, "loaders that follow it take another size in memory", judge_dtype},
    {"use_cache", "KV cache", kMemory, "without the cache generation recomputes every token; with it memory grows with length"},
    {"cache_implementation|max_batch_size|pre_allocate_kv_cache|chunk_size_feed_forward|chunk_size|block_size", "memory layout", kMemory},
    {"_attn_implementation|attn_implementation|use_flash_attn|use_flash_attention|flash_attn|disable_flash_attention|softmax_in_fp32|"
     "_attn_implementation_internal|use_flash_attn_2|disable_custom_kernels|use_mamba_kernels|use_cache_quantization|use_cache_kernel", "attention kernel", kMemory},
    {"bf16|fp16|fp32|use_bfloat16|fp32_residual_connection|residual_in_fp32|attention_softmax_in_fp32|mamba_ssm_dtype|moe_router_dtype|onnx_safe|"
     "apply_query_key_layer_scaling|fp32_*|*_in_fp32|*_dtype", "precision", kMemory, "computed in another precision: memory and rounding change"},
    {"gradient_checkpointing|use_gradient_checkpointing", "gradient checkpointing", kMemory, "training trades memory for time"},
    {"ep_size|pretraining_tp|tensor_parallel_*|base_model_tp_plan|base_model_pp_plan|tp_size", "parallel split", kMemory},
    {"hidden_act|hidden_activation|activation_function|activation|act_fn|activation_func|hidden_activation_function|feat_extract_activation|"
     "projector_hidden_act|mlp_activation|dense_act_fn|feed_forward_proj|afn|act|encoder_activation_function|decoder_activation_function|nonlinearity",
     "activation", kActivation},
    {"rms_norm_eps|layer_norm_eps|layer_norm_epsilon|norm_eps|norm_epsilon|layernorm_epsilon|eps|rms_norm_epsilon", "norm epsilon", kNumerics},
    {"output_attentions|output_hidden_states|return_dict|torchscript|output_past|return_dict_in_generate", "form of the output", kBehaviour,
     "calls return other fields than before"},
    {"vision_feature_layer|vision_feature_select_strategy|mm_vision_select_layer|mm_vision_select_feature|select_layer|select_feature",
     "features taken from the vision tower", kBehaviour, "the language model sees other image features"},
    {"max_dynamic_patch|min_dynamic_patch|dynamic_image_size|use_thumbnail|image_aspect_ratio|anyres_*|image_grid_pinpoints|candidate_resolutions|"
     "max_slice_nums|slice_config|slice_config/*|down_scale_factor|downsample_ratio|ps_version", "cutting of images", kBehaviour,
     "images become another number of tokens"},
    {"pruned_heads", "pruned heads", kShape},
    {"mm_vision_tower|vision_tower|mm_projector_type|mm_resampler_type|projector_type|vision_model_name|backbone|use_pretrained_backbone|use_timm_backbone",
     "tower or projector", kIdentity, "the model is assembled from other pieces"},
    {"mm_hidden_size|projection_dim|mm_vision_tower_lr", "projector size", kShape},
    {"template|conv_template|system_message", "conversation format", kBehaviour, "prompts are written in another format"},
};

const KeyRule kTraining_[] = {
    {"dropout|attention_dropout|hidden_dropout|activation_dropout|classifier_dropout|resid_pdrop|embd_pdrop|attn_pdrop|hidden_dropout_prob|"
     "attention_probs_dropout_prob|layerdrop|drop_path_rate|dropout_rate|embedding_dropout|bias_dropout_fusion", "dropout", kTraining},
    {"router_aux_loss_coef|aux_loss_alpha|router_z_loss_coef|z_loss_weight|output_router_logits|seq_aux|router_jitter_noise|load_balance_coeff",
     "expert balancing", kTraining},
    {"mask_time_prob|mask_feature_prob|apply_spec_augment|ctc_loss_reduction|ctc_zero_infinity|label_smoothing|loss_type|auxiliary_loss|use_auxiliary_loss",
     "training objective", kTraining},
    {"freeze_*|tune_*|unfreeze_*|use_backbone_lora|use_llm_lora|mm_projector_lr|*_lr", "what is trained", kTraining},
    {"*dropout*|*_pdrop|*layerdrop|*_loss_coef*|*_loss_weight|*_loss|*_cost|*_coefficient|*_aux_*|*_noise|*noise_*|mask_time_*|mask_feature_*|mask_channel_*|*_loss_*|focal_*|*_drop_*|*_drop|num_denoising|num_negatives|*_smoothing",
     "training parameter", kTraining, {}, nullptr, "any_training"},
};

}  // namespace

const RuleTable kComputationRules = kComputation_;
const RuleTable kTrainingRules = kTraining_;

}  // namespace modelwatch::advisories
