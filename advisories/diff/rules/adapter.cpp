#include "advisories/diff/rules/classes.h"
#include "advisories/diff/rules/judges.h"
#include "advisories/diff/rules/tables.h"

namespace modelwatch::advisories {
namespace {

constexpr std::string_view kScale = "the adapter's weights count for more or less (alpha / rank), so output changes";

/// With the rank unchanged the scale moves alone; with new weights in the same commit that may be meant.
void judge_alpha(const Subject& subject, Verdict& verdict) {
  const auto ratio = [](const json::Value& document) -> std::optional<double> {
    const json::Value *alpha = document.find("lora_alpha"), *rank = document.find("r");
    if (!alpha || !rank || !alpha->real() || !rank->real() || *rank->real() == 0) return std::nullopt;
    return *alpha->real() / *rank->real();
  };
  const auto before = ratio(subject.around.before), after = ratio(subject.around.after);
  if (!before || !after) return;
  if (*before == *after) verdict.consequence = "the scale alpha / rank stays the same";
  else verdict.consequence = "the scale alpha / rank goes from " + said(json::Value(*before)) + " to " + said(json::Value(*after)) + ", so output changes";
}

/// A base named for the first time breaks nobody who named it himself; a local path names nothing others have.
void judge_base(const Subject& subject, Verdict& verdict) {
  const std::string* now = subject.edit.after ? subject.edit.after->string() : nullptr;
  if (!now || now->empty()) verdict.consequence = "PEFT no longer knows which model the adapter belongs to";
  else if (now->starts_with('/') || now->starts_with("./") || now->starts_with("../") || now->find('\\') != now->npos)
    verdict.consequence = "a path on somebody's machine: PEFT cannot find the base from it";
}

const KeyRule kAdapter_[] = {
    {"base_model_name_or_path", "base model", kIdentity, "PEFT loads the adapter onto that model; on another one it does not fit or is silently wrong", judge_base},
    {"revision", "revision of the base", kIdentity, "PEFT loads that revision of the base"},
    {"peft_type", "adapter type", kIdentity, "PEFT builds another kind of adapter, which the stored weights do not fit"},
    {"task_type", "task", kIdentity, "PEFT wraps the base in the class of that task"},
    {"auto_mapping|auto_mapping/*", "class of the base", kIdentity, "PEFT builds the base from that class"},
    {"r|rank|rank_pattern|rank_pattern/*|num_virtual_tokens|token_dim|num_layers|prompt_encoder_hidden_size", "rank", kShape,
     "the adapter's matrices have that size, so stored weights of another rank are refused"},
    {"lora_alpha|alpha_pattern|alpha_pattern/*|alpha", "scale", kBehaviour, kScale, judge_alpha},
    {"use_rslora", "rank-stabilised scale", kIdentity, "the scale is alpha / sqrt(rank) instead of alpha / rank, or the reverse: the adapter is silently applied wrongly"},
    {"target_modules|target_parameters|exclude_modules", "adapted modules", kIdentity,
     "stored weights of other modules are ignored, and missing ones start at random"},
    {"modules_to_save|layers_to_transform|layers_pattern|layer_replication|trainable_token_indices", "adapted layers", kIdentity,
     "stored weights of other layers are ignored, and missing ones start at random"},
    {"use_dora|lora_bias|bias|fan_in_fan_out|use_qalora|qalora_group_size|alora_invocation_tokens|arrow_config|block_size|oft_block_size|coft", "form of the adapter", kShape,
     "the adapter is computed differently and holds other tensors"},
    {"inference_mode", "inference mode", kMemory, "code that builds the adapter from this file makes it trainable or frozen: memory differs, and dropout may be on"},
    {"lora_dropout", "dropout", kTraining},
    {"init_lora_weights|loftq_config|loftq_config/*|eva_config|corda_config|eva_config/*|corda_config/*|lora_ga_config", "initialisation", kTraining,
     "training starts elsewhere; methods that also change the base (PiSSA, LoftQ) need it to load"},
    {"megatron_config|megatron_core|runtime_config|runtime_config/*|ephemeral_gpu_offload|ensure_weight_tying", "run-time option", kMemory},
    {"peft_version|_name_or_path|transformers_version|unsloth_version|created_by", "record", kBookkeeping, {}, nullptr, "record"},
    {"*", "adapter parameter", kBehaviour, "PEFT may build the adapter differently", nullptr, "any"},
};

}  // namespace

const RuleTable kAdapterRules = kAdapter_;

}  // namespace modelwatch::advisories
