#include "advisories/diff/rules/classes.h"
#include "advisories/diff/rules/judges.h"
#include "advisories/diff/rules/tables.h"

namespace modelwatch::advisories {
namespace {

constexpr KeyClass kEmbedding{"embedding", Impact::behaviour, Impact::behaviour, Impact::behaviour,
                              "embeddings change, so stored ones no longer match new ones",
                              "embed a stored text again and compare; rebuild the index if it differs"};
constexpr KeyClass kSchedule{"noise schedule", Impact::behaviour, Impact::behaviour, Impact::behaviour,
                             "images from one seed change", "compare images from fixed seeds"};

/// Arguments that sentence-transformers hands to the loaders: consent to remote code among them is consent for everybody.
void judge_loader_arguments(const Subject& subject, Verdict& verdict) {
  const json::Value* now = subject.edit.after;
  const json::Value* trust = now && now->object() ? now->find("trust_remote_code") : subject.key.ends_with("/trust_remote_code") ? now : nullptr;
  if (!trust || trust->boolean() != true) return;
  verdict.impact = Impact::security;
  verdict.consequence = "the file itself asks loaders to run the repository's code";
}

const KeyRule kSentence_[] = {
    {"model_args|tokenizer_args|config_args|model_kwargs|tokenizer_kwargs|config_kwargs|model_args/*|tokenizer_args/*|config_args/*|model_kwargs/*|tokenizer_kwargs/*|config_kwargs/*",
     "arguments to the loaders", kEmbedding, "model or tokenizer are loaded differently", judge_loader_arguments},
    {"prompts|prompts/*|default_prompt_name|query_prompt_name|document_prompt_name", "prompt in front of each text", kEmbedding},
    {"similarity_fn_name|score_function", "similarity", kEmbedding, "scores are computed and ranked differently"},
    {"max_seq_length|max_length", "truncation length", kEmbedding, "longer texts are cut elsewhere, so their embeddings change"},
    {"do_lower_case", "lower case", kEmbedding},
    {"", "modules", kEmbedding, "the chain from tokens to embedding (transformer, pooling, normalisation) changes", nullptr, "modules"},
    {"__version__|__version__/*|model_type|sentence_transformers_version", "record", kBookkeeping, {}, nullptr, "record"},
    {"*", "parameter of the embedding", kEmbedding, {}, nullptr, "any"},
};

const KeyRule kPooling_[] = {
    {"pooling_mode|pooling_mode_*|pooling_type|include_prompt|*pool*", "pooling", kEmbedding},
    {"word_embedding_dimension|in_features|out_features|embedding_dimension", "embedding size", kShape, "vectors of another length do not fit the stored ones"},
    {"activation_function|bias|normalize*", "layer after pooling", kEmbedding},
    {"*", "parameter of the embedding", kEmbedding, {}, nullptr, "any"},
};

const KeyRule kPipeline_[] = {
    {"_class_name", "pipeline class", kIdentity, "diffusers builds another pipeline or refuses"},
    {"_diffusers_version|_name_or_path", "record", kBookkeeping, {}, nullptr, "record"},
    {"requires_safety_checker|requires_aesthetics_score|force_zeros_for_empty_prompt|feature_extractor|safety_checker|safety_checker/*|safety_concept", "pipeline option", kBehaviour},
    {"boundary_ratio|expand_timesteps|is_distilled|guidance*", "pipeline option", kSchedule},
    {"*", "component", kIdentity, "the pipeline is assembled from other classes", nullptr, "component"},
};

const KeyRule kComponent_[] = {
    {"_class_name", "component class", kIdentity, "diffusers builds another class or refuses"},
    {"_diffusers_version|_name_or_path|_commit_hash", "record", kBookkeeping, {}, nullptr, "record"},
    {"beta_*|prediction_type|timestep_spacing|steps_offset|set_alpha_to_one|clip_sample|clip_sample_range|num_train_timesteps|trained_betas|rescale_betas_zero_snr|"
     "thresholding|dynamic_thresholding_ratio|sample_max_value|variance_type|algorithm_type|solver_*|use_karras_sigmas|lower_order_final|shift|use_dynamic_shifting|"
     "base_shift|max_shift|sigma_*|final_sigmas_type|interpolation_type|skip_prk_steps|use_*_sigmas|invert_sigmas|*_shift|*_image_seq_len|time_shift_type|stochastic_sampling|timestep_type|rescale_*",
     "noise schedule", kSchedule, {}, nullptr, "schedule"},
    {"scaling_factor|shift_factor|latents_mean|latents_std|force_upcast|use_quant_conv|use_post_quant_conv|mid_block_add_attention", "scale of the latents", kSchedule,
     "latents are scaled or computed differently: images are washed out or wrong", nullptr, "latents"},
    {"block_out_channels|layers_per_block|down_block_types|up_block_types|latent_channels|cross_attention_dim|attention_head_dim|transformer_layers_per_block|"
     "num_attention_heads|num_layers|num_single_layers|pooled_projection_dim|caption_channels|joint_attention_dim|sample_size|*_dim|*_channels|num_*|*_size|*_types|*_proj*",
     "shape of the component", kShape},
    {"auto_map", "code pointers", kCodePointer, {}, judge_code_pointer},
    {"auto_map/*", "code pointer", kCodePointer, {}, judge_code_pointer, "auto_map.entry"},
    {"act_fn|*_act|activation_fn|*_activation", "activation", kActivation},
    {"quantization_config", "quantisation", kQuantisation, {}, judge_quantisation},
    {"quantization_config/*", "quantisation parameter", kQuantisation, {}, nullptr, "quantization_config.any"},
    {"*", "parameter of the component", kBehaviour, {}, nullptr, "any"},
};

// JSON of single engines: MLC, CTranslate2, ExLlama, OpenVINO.
const KeyRule kEngine_[] = {
    {"conv_template|conv_template/*|conv_config|conv_config/*", "conversation format", kTokens, "the engine writes prompts and stop strings in another format"},
    {"model_lib|model_type|quantization|model_lib_path_for_prepare_libs", "compiled model", kIdentity, "the engine needs another compiled library"},
    {"temperature|top_p|top_k|repetition_penalty|presence_penalty|frequency_penalty|mean_gen_len|max_gen_len", "sampling", kGenerationDefault},
    {"context_window_size|sliding_window_size|prefill_chunk_size|max_batch_size|tensor_parallel_shards|max_window_size|attention_sink_size", "context", kLength},
    {"tokenizer_files|vocab_size|pad_token_id|bos_token_id|eos_token_id", "tokens", kTokens},
    {"model_config|model_config/*", "model configuration", kShape},
    {"local_id|version|model_preset|tokenizer_info|tokenizer_info/*", "record", kBookkeeping, {}, nullptr, "record"},
    {"*", "engine parameter", kBehaviour, "the engine that reads this file may behave differently", nullptr, "any"},
};

}  // namespace

const RuleTable kSentenceRules = kSentence_;
const RuleTable kPoolingRules = kPooling_;
const RuleTable kPipelineRules = kPipeline_;
const RuleTable kComponentRules = kComponent_;
const RuleTable kEngineRules = kEngine_;

}  // namespace modelwatch::advisories
