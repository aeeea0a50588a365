#include <algorithm>

#include "advisories/diff/rules/classes.h"
#include "advisories/diff/rules/judges.h"
#include "advisories/diff/rules/tables.h"

namespace modelwatch::advisories {
namespace {

constexpr KeyClass kSpecialToken{"special token", Impact::behaviour, Impact::breaking, Impact::breaking,
                                 "prompts and stop conditions built from it change",
                                 "compare the effective special tokens before and after; update code that spells them out"};
constexpr KeyClass kAutomatic{"automatic tokens", Impact::behaviour, Impact::breaking, Impact::breaking,
                              "every encoded text gains or loses a token", "compare the ids of a short text before and after"};
constexpr KeyClass kSplitting{"splitting", Impact::behaviour, Impact::behaviour, Impact::behaviour,
                              "text is split or joined differently", "compare the ids of your own texts before and after"};

/// Left is what batched generation needs; right is what most training code assumes.
void judge_padding_side(const Subject& subject, Verdict& verdict) {
  const std::string* now = subject.edit.after ? subject.edit.after->string() : nullptr;
  if (now && *now == "left") {
    verdict.impact = Impact::behaviour;
    verdict.consequence = "batches are padded in front: right for generation, other positions for code that assumes padding behind";
  } else if (now && *now == "right") {
    verdict.impact = Impact::breaking;
    verdict.consequence = "batches are padded behind: batched generation silently degrades";
  } else {
    verdict.impact = Impact::behaviour;
    verdict.consequence = "the class's own default applies (right for most)";
  }
}

/// Text of a special token, written as a string or as an object.
std::string content(const json::Value* value) {
  if (!value) return {};
  if (const std::string* text = value->string()) return *text;
  const json::Value* inner = value->find("content");
  return inner && inner->string() ? *inner->string() : std::string();
}

void judge_special_token(const Subject& subject, Verdict& verdict) {
  const std::string before = content(subject.edit.before), after = content(subject.edit.after);
  if (before.empty() && !after.empty()) {
    verdict.impact = std::min(verdict.impact, Impact::behaviour);
    verdict.verb = "added";
    verdict.head = subject.key + " set to " + after + " where there was none";
  } else if (!before.empty() && after.empty()) {
    verdict.verb = "removed";
    verdict.head = subject.key + " " + before + " removed";
  } else if (before == after) {
    verdict.impact = Impact::behaviour;
    verdict.head = subject.key + " " + after + " keeps its text and changes its flags";
    verdict.consequence = "white space around it is taken or left differently";
  } else {
    verdict.head = subject.key + " changed from " + before + " to " + after;
  }
  if (subject.key == "eos_token" && !before.empty()) verdict.consequence = "generation that stops at the tokenizer's stop token runs on";
}

/// A list of tokens as a set: added ones are behaviour, lost ones breaking.
void judge_token_list(const Subject& subject, Verdict& verdict) {
  const auto contents = [](const json::Value* value) {
    std::vector<std::string> all;
    if (const json::Array* list = value ? value->array() : nullptr)
      for (const json::Value& item : *list) all.push_back(content(&item));
    std::sort(all.begin(), all.end());
    return all;
  };
  const auto before = contents(subject.edit.before), after = contents(subject.edit.after);
  const bool lost = !std::includes(after.begin(), after.end(), before.begin(), before.end());
  verdict.impact = lost ? Impact::breaking : Impact::behaviour;
  if (!lost && !before.empty()) verdict.verb = "extended";
  verdict.consequence = lost ? "tokens that were kept whole are split into pieces, or no longer skipped when decoding"
                             : "more tokens are kept whole and skipped when decoding";
}

/// Whether the chat template in this file puts the start token in front itself.
bool template_writes_start(const json::Value& document) {
  const json::Value* chat = document.find("chat_template");
  if (!chat || !chat->string()) return false;
  const std::string start = content(document.find("bos_token"));
  return chat->string()->find("bos_token") != std::string::npos || chat->string()->find(start.empty() ? "<s>" : start) != std::string::npos;
}

void judge_automatic(const Subject& subject, Verdict& verdict) {
  const auto before = subject.in_force_before().boolean(), after = subject.in_force_after().boolean();
  const std::string token = subject.key == "add_bos_token" ? "start" : "stop";
  if (after && *after) verdict.consequence = "every encoded text gains the " + token + " token; a template that writes it too doubles it";
  else verdict.consequence = "encoded text loses the " + token + " token unless the tokenizer file adds it";
  if (!before || !after || *before == *after) return;
  verdict.impact = Impact::breaking;
  if (subject.key == "add_bos_token" && !*after && template_writes_start(subject.around.after) && !template_writes_start(subject.around.before)) {
    verdict.impact = Impact::behaviour;
    verdict.consequence = "the chat template writes the start token instead: chats stay the same, plain texts lose it";
  }
}

const KeyRule kTokenizer_[] = {
    {"bos_token|eos_token|pad_token|unk_token|sep_token|cls_token|mask_token|eod_token|eop_token|gmask_token|sop_token|image_token|video_token|audio_token|boi_token|"
     "eoi_token|vision_bos_token|vision_eos_token|additional_special_tokens_*|*_token", "special token", kSpecialToken, {}, judge_special_token, "special_token"},
    {"bos_token/*|eos_token/*|pad_token/*|unk_token/*|sep_token/*|cls_token/*|mask_token/*|*_token/content|*_token/lstrip|*_token/rstrip|*_token/normalized|"
     "*_token/single_word|*_token/special", "special token", kSpecialToken, {}, nullptr, "special_token.any"},
    {"additional_special_tokens|extra_special_tokens|model_specific_special_tokens", "further special tokens", kSpecialToken, {}, judge_token_list},
    {"extra_special_tokens/*|model_specific_special_tokens/*|additional_special_tokens/*", "further special token", kSpecialToken, {}, judge_special_token},
    {"add_bos_token|add_eos_token", "automatic token", kAutomatic, {}, judge_automatic},
    {"padding_side", "side of padding", kSplitting, {}, judge_padding_side},
    {"truncation_side", "side of truncation", kSplitting, "inputs that are too long lose their other end"},
    {"model_max_length|max_length|max_len|max_seq_length|model_input_max_length", "truncation length", kLength, "callers that truncate cut inputs at another length"},
    {"tokenizer_class|slow_tokenizer_class|fast_tokenizer_class", "tokenizer class", kIdentity, "AutoTokenizer builds another class, which may encode differently or be unknown"},
    {"auto_map", "code pointers", kCodePointer, {}, judge_code_pointer},
    {"auto_map/*", "code pointer", kCodePointer, {}, judge_code_pointer, "auto_map.entry"},
    {"added_tokens_decoder", "table of added tokens", kSpecialToken, "added tokens get lost or appear, with their ids and flags"},
    {"added_tokens_decoder/*", "added token", kSpecialToken, "its text, id or flags change, so text that holds it is encoded differently", nullptr, "added_tokens_decoder.entry"},
    {"legacy|add_prefix_space|clean_up_tokenization_spaces|do_lower_case|split_special_tokens|spaces_between_special_tokens|strip_accents|tokenize_chinese_chars|"
     "remove_space|keep_accents|do_basic_tokenize|never_split|sp_model_kwargs|sp_model_kwargs/*|use_fast|errors|trim_offsets|wordpiece_prefix|ignore_merges|"
     "add_dummy_prefix|add_prefix_space_*|normalization|clean_text|handle_chinese_chars|from_slow|use_regex|fix_mistral_regex|encode_special_tokens|remove_extra_whitespaces",
     "splitting", kSplitting},
    {"use_default_system_prompt|default_system_prompt|system_prompt|chat_format|response_schema", "default prompt", kBehaviour, "templates that ask for it write another prompt"},
    {"stop_words|stop_token_ids|max_window_size", "stop words", kTokens},
    {"pad_to_multiple_of|pad_token_type_id|padding|truncation|truncation_strategy|stride|return_token_type_ids|model_input_names", "defaults of a call", kBehaviour,
     "calls without these arguments return other inputs"},
    {"src_lang|tgt_lang|language|task|predict_timestamps|lang", "language", kBehaviour},
    {"pad_token_id|eos_token_id|bos_token_id|unk_token_id|decoder_start_token_id", "token id", kTokens, {}, judge_token_id},
    {"special_tokens_map_file|name_or_path|tokenizer_file|transformers_version|_commit_hash|processor_class|unsloth_version|is_local|local_files_only|device_map|"
     "cache_dir|backend|__type|added_tokens_version|vocab_file|merges_file|tokenizer_type|special_tokens|max_model_input_sizes|init_inputs|"
     "trust_remote_code|is_processor_class|_from_auto|use_auth_token|repo_id", "record", kBookkeeping, {}, nullptr, "record"},
    {"*", "tokenizer parameter", kSplitting, "the tokenizer's class may read it and encode differently", nullptr, "any"},
};

const KeyRule kSpecialTokens_[] = {
    {"additional_special_tokens|extra_special_tokens", "further special tokens", kSpecialToken, {}, judge_token_list},
    {"*_token", "special token", kSpecialToken, {}, judge_special_token, "special_token"},
    {"*", "special token", kSpecialToken, {}, nullptr, "special_token.any"},
};

}  // namespace

const RuleTable kTokenizerRules = kTokenizer_;
const RuleTable kSpecialTokenRules = kSpecialTokens_;

}  // namespace modelwatch::advisories
