#include "advisories/diff/rules/classes.h"
#include "advisories/diff/rules/judges.h"
#include "advisories/diff/rules/tables.h"

namespace modelwatch::advisories {
namespace {

constexpr std::string_view kFresh = "only tensors missing from the checkpoint are drawn from it";

const KeyRule kBookkeeping_[] = {
    {"transformers_version|_diffusers_version|peft_version|unsloth_version|sentence_transformers_version|mlx_version|__version__|__version__/*|"
     "adapter_transformers_version|auto_round_version|*_version", "version of the library that wrote the file", kBookkeeping, {}, nullptr, "version"},
    {"_name_or_path|name_or_path|model_name|_commit_hash|base_model_name|_original_name_or_path|model_name_or_path|source_model|*/_name_or_path",
     "where the file came from", kBookkeeping, {}, nullptr, "name_or_path"},
    {"_from_model_config|_attn_implementation_autoset|unsloth_fixed|unsloth_tokenizer_class|finetuning_task|_is_hf_initialized|dataset_name|license|"
     "author|description|created_at|wandb_*|training_args|training_args/*|tf_legacy_loss|hub_model_id|language|languages|support_languages|tags|"
     "version|onnx_export|_unsloth_temporary_saved_buffers|model_card|for_llm_compressor|inference_runner|validate_runner_input|is_hf_initialized", "record", kBookkeeping},
    {"initializer_range|initializer_factor|init_std|init_method|layer_scale_init_value|layerscale_value|logit_scale_init_value|init_xavier_std|"
     "initializer_*|*_initializer_*|init_*|*_init_scale|*_init_std|*_init_value|*_xavier_init|rescale_prenorm_residual|_no_split_modules|*_init", "initialisation", kBookkeeping, kFresh},
    {"transformers.js_config|transformers.js_config/*", "settings of Transformers.js", kMemory, "Transformers.js loads other files or precisions"},
};

}  // namespace

const RuleTable kBookkeepingRules = kBookkeeping_;

}  // namespace modelwatch::advisories
