#include <algorithm>

#include "advisories/diff/rules/classes.h"
#include "advisories/diff/rules/tables.h"

namespace modelwatch::advisories {
namespace {

constexpr KeyClass kEncoding{"encoding", Impact::breaking, Impact::breaking, Impact::breaking,
                             "the same text gets other ids than those the weights were trained on",
                             "compare the ids of your own texts before and after; take tokenizer and weights from one revision"};
constexpr KeyClass kDecoding{"decoding", Impact::breaking, Impact::breaking, Impact::breaking, "ids are turned into another text",
                             "decode a known answer before and after"};
constexpr KeyClass kSavedTruncation{"saved truncation", Impact::behaviour, Impact::behaviour, Impact::behaviour,
                                    "callers that set none inherit it", "set truncation and length in your own calls"};
constexpr KeyClass kSavedPadding{"saved padding", Impact::breaking, Impact::behaviour, Impact::behaviour,
                                 "callers that set none inherit it", "set padding in your own calls"};
constexpr KeyClass kUnknownTokens{"unknown tokens", Impact::behaviour, Impact::behaviour, Impact::behaviour,
                                  "text outside of the vocabulary is encoded differently", "compare the ids of rare characters before and after"};
constexpr KeyClass kOffsets{"offsets", Impact::behaviour, Impact::behaviour, Impact::behaviour,
                            "ids stay, the places of tokens in the text may differ", "compare offsets where your code uses them"};

bool there(const json::Value* value) { return value && !value->is_null(); }

std::string type_of(const json::Value& value) {
  const json::Value* type = value.find("type");
  return type && type->string() ? *type->string() : said(value);
}

/// "ByteLevel", "Sequence[Split, ByteLevel]".
std::string stage_text(const json::Value* value) {
  if (!there(value)) return "none";
  if (!value->object()) return said(value);
  std::string text = type_of(*value);
  for (const auto& [key, list] : *value->object()) {
    if (text != "Sequence" || !list.array()) continue;
    std::string inner;
    for (std::size_t i = 0; i < list.array()->size() && i < 8; ++i) inner += (i ? ", " : "") + type_of((*list.array())[i]);
    return text + "[" + inner + "]";
  }
  return text;
}

/// "at 512 tokens", "to 128 tokens", "to the longest of a batch".
std::string length_text(const json::Value* value) {
  if (!there(value)) return "none";
  if (const json::Value* length = value->find("max_length")) return "at " + said(length) + " tokens";
  const json::Value* strategy = value->find("strategy");
  if (!strategy) return said(value);
  const json::Value* fixed = strategy->find("Fixed");
  return fixed ? "to " + said(fixed) + " tokens" : strategy->string() && *strategy->string() == "BatchLongest" ? "to the longest of a batch" : said(strategy);
}

/// null and absent are the same: no such stage.
void settle_verb(const Edit& edit, Verdict& verdict) {
  if (!there(edit.before) && there(edit.after)) verdict.verb = "added";
  if (there(edit.before) && !there(edit.after)) verdict.verb = "removed";
}

void judge_stage(const Subject& subject, Verdict& verdict) {
  settle_verb(subject.edit, verdict);
  const std::string before = stage_text(subject.edit.before), after = stage_text(subject.edit.after);
  verdict.head = subject.key + (before == after ? " " + after + " changed inside" : " changed from " + before + " to " + after);
}

void judge_length_of_calls(const Subject& subject, Verdict& verdict) {
  settle_verb(subject.edit, verdict);
  verdict.head = "saved " + subject.key + " changed from " + length_text(subject.edit.before) + " to " + length_text(subject.edit.after);
  if (subject.key == "padding" && verdict.verb == "added") {
    verdict.impact = Impact::breaking;
    verdict.consequence = "every input is padded by the tokenizer file itself";
  } else if (subject.key == "truncation" && verdict.verb == "added") {
    verdict.consequence = "longer inputs are cut by the tokenizer file itself";
  } else if (verdict.verb == "removed") {
    verdict.impact = Impact::behaviour;
    verdict.consequence = "callers that relied on it have to set it themselves";
  }
}

const KeyRule kTokenizerFile_[] = {
    {"normalizer|pre_tokenizer|post_processor", "", kEncoding, {}, judge_stage},
    {"decoder", "", kDecoding, {}, judge_stage},
    {"truncation", "saved truncation", kSavedTruncation, {}, judge_length_of_calls},
    {"padding", "saved padding", kSavedPadding, {}, judge_length_of_calls},
    {"version", "version of the format", kBookkeeping},
    {"model/type", "kind of model", kEncoding},
    {"model/ignore_merges", "whole words first", kEncoding, "words of the vocabulary are taken whole before any merge, or no longer"},
    {"model/byte_fallback", "bytes for unknown characters", kUnknownTokens},
    {"model/unk_token|model/unk_id|model/fuse_unk", "unknown token", kUnknownTokens, {}, nullptr, "unknown_token"},
    {"model/dropout", "merge dropout", kEncoding, "encoding is random while it is set"},
    {"model/max_input_chars_per_word", "longest word", kUnknownTokens, "longer words become the unknown token"},
    {"model/continuing_subword_prefix|model/end_of_word_suffix", "mark of word pieces", kEncoding, {}, nullptr, "word_mark"},
    {"post_processor/add_prefix_space|post_processor/trim_offsets", "offsets of tokens", kOffsets, {}, nullptr, "offsets"},
    {"truncation/*", "saved truncation", kSavedTruncation, {}, nullptr, "truncation.any"},
    {"padding/*", "saved padding", kSavedPadding, {}, nullptr, "padding.any"},
    {"normalizer/*|pre_tokenizer/*|post_processor/*", "", kEncoding, {}, nullptr, "stage.any"},
    {"decoder/*", "", kDecoding, {}, nullptr, "decoder.any"},
    {"model/*", "model parameter", kEncoding, {}, nullptr, "model.any"},
    {"*", "", kBookkeeping, "the tokenizers library does not read it", nullptr, "file.any"},
};

}  // namespace

const RuleTable kTokenizerFileRules = kTokenizerFile_;

}  // namespace modelwatch::advisories
