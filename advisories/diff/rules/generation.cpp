#include "advisories/diff/rules/classes.h"
#include "advisories/diff/rules/judges.h"
#include "advisories/diff/rules/tables.h"

namespace modelwatch::advisories {
namespace {

constexpr std::string_view kSampling = "transformers and vLLM sample with it unless the caller says otherwise";

/// transformers stops at 20 tokens where neither max_length nor max_new_tokens is given.
void judge_output_length(const Subject& subject, Verdict& verdict) {
  const auto written = [](const json::Value* value) { return value ? value->integer() : std::nullopt; };
  const auto was = written(subject.edit.before), is = written(subject.edit.after);
  if (was && *was > 20 && !is && !subject.around.after.find(subject.key == "max_length" ? "max_new_tokens" : "max_length")) {
    verdict.impact = Impact::breaking;
    verdict.consequence = "transformers falls back to its limit of 20 tokens, so answers are cut unless the caller sets one";
  } else if (was && is && *is < *was) {
    verdict.consequence = "answers longer than that are cut unless the caller sets a limit";
  }
}

void judge_top_k(const Subject& subject, Verdict& verdict) {
  const json::Value* k = subject.edit.added() ? subject.edit.after : subject.edit.removed() ? subject.edit.before : nullptr;
  if (k && k->integer() == 50)
    verdict.consequence = "50 is transformers' own default, but vLLM without it samples from the whole vocabulary";
}

const KeyRule kGeneration_[] = {
    {"temperature", "temperature", kGenerationDefault, kSampling},
    {"top_p", "nucleus", kGenerationDefault, kSampling},
    {"top_k", "candidates per step", kGenerationDefault, kSampling, judge_top_k},
    {"min_p|typical_p|epsilon_cutoff|eta_cutoff|top_h|presence_penalty|frequency_penalty", "sampling", kGenerationDefault, kSampling},
    {"do_sample", "sampling", kGenerationDefault, "transformers samples where it was greedy, or the reverse"},
    {"repetition_penalty|encoder_repetition_penalty|no_repeat_ngram_size|encoder_no_repeat_ngram_size", "repetition", kGenerationDefault, kSampling},
    {"max_length|max_new_tokens", "output limit", kGenerationDefault, "answers end at another length unless the caller sets one", judge_output_length},
    {"min_length|min_new_tokens|length_penalty|max_time|exponential_decay_length_penalty", "output length", kGenerationDefault},
    {"num_beams|num_beam_groups|diversity_penalty|early_stopping|num_return_sequences|penalty_alpha|dola_layers|low_memory", "search", kGenerationDefault},
    {"stop_strings", "stop strings", kTokens, "output ends at other text"},
    {"suppress_tokens|begin_suppress_tokens|bad_words_ids|forced_bos_token_id|forced_eos_token_id|forced_decoder_ids|sequence_bias|force_words_ids|"
     "constraints", "forced and forbidden tokens", kGenerationDefault, "tokens are forced or forbidden that were not, or the reverse"},
    {"alignment_heads", "alignment heads", kGenerationDefault, "word timestamps come from other attention heads"},
    {"lang_to_id|task_to_id|lang_to_id/*|task_to_id/*|is_multilingual|no_timestamps_token_id|prev_sot_token_id|return_timestamps|max_initial_timestamp_index|"
     "language|task|median_filter_width|no_speech_threshold|logprob_threshold|compression_ratio_threshold", "speech recognition", kGenerationDefault},
    {"output_scores|output_logits|output_attentions|output_hidden_states|return_dict_in_generate", "form of the output", kGenerationDefault},
    {"use_cache|cache_implementation|cache_config|cache_config/*|return_legacy_cache|prefill_chunk_size|disable_compile|compile_config|compile_config/*", "cache", kMemory},
    {"prompt_lookup_num_tokens|assistant_*|num_assistant_tokens|num_assistant_tokens_schedule|max_matching_ngram_size|is_assistant|target_lookbehind|"
     "speculative_*", "speculative decoding", kMemory},
    {"guidance_scale|renormalize_logits|remove_invalid_values|token_healing|watermarking_config|watermarking_config/*", "processing of scores", kGenerationDefault},
    {"chat_format|max_window_size|user_token_id|assistant_token_id|trust_remote_code", "chat format of the repository's code", kGenerationDefault},
    {"custom_generate", "generation code", kCodePointer, {}, judge_code_pointer},
};

const KeyRule kRest_[] = {
    {"*", "generation parameter", kGenerationDefault, {}, nullptr, "any"},
};

}  // namespace

const RuleTable kGenerationRestRules = kRest_;
const RuleTable kGenerationRules = kGeneration_;

}  // namespace modelwatch::advisories
