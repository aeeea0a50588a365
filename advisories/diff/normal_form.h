#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "estimator/json/value.h"

namespace modelwatch::advisories {

/// A document in the one spelling in which equal meaning is equal JSON: synonyms under one name, values that equal the
/// default left out, sets sorted, one-element lists of ids as the id.
struct NormalForm {
  json::Value value;
  /// Where a renamed or split member of the original went: its pointer, and the pointers here.
  std::map<std::string, std::vector<std::string>, std::less<>> moved;

  /// The places here that a pointer of the original document speaks of (itself, where nothing was moved).
  std::vector<std::string> places_of(std::string_view pointer) const;
};

/// config.json under transformers' semantics: synonyms and defaults of the model type, nested parts as their own types,
/// rope_parameters as rope_theta and rope_scaling, `null` as absent where the type has no other default.
NormalForm normal_config(const json::Value& document);
/// generation_config.json: GenerationConfig's defaults (top_k excepted: vLLM's differs).
NormalForm normal_generation(const json::Value& document);
/// adapter_config.json: PEFT's defaults, module lists as sets.
NormalForm normal_adapter(const json::Value& document);
/// tokenizer_config.json without its chat template, special_tokens_map.json: special tokens as text where their flags are
/// the usual ones, padding side and length at the default of the class.
NormalForm normal_tokenizer(const json::Value& document);
/// preprocessor_config.json without the names that no current loader reads.
NormalForm normal_processor(const json::Value& document);
/// tokenizer.json without its vocabulary: stages of the pipeline without what they do not read and what equals their default.
NormalForm normal_tokenizer_file(const json::Value& document);
/// Other files: null as absent.
NormalForm normal_plain(const json::Value& document);
/// Files whose every member counts as it stands.
NormalForm normal_verbatim(const json::Value& document);

/// What transformers takes for a key of this config that is absent: of the model type, of every config, or the rope base.
/// `pointer` may lead into a nested part. None where it is not known or derived from other keys.
std::optional<json::Value> config_default(const json::Value& document, std::string_view pointer);
std::optional<json::Value> generation_default(const json::Value& document, std::string_view pointer);
std::optional<json::Value> adapter_default(const json::Value& document, std::string_view pointer);
std::optional<json::Value> tokenizer_default(const json::Value& document, std::string_view pointer);
std::optional<json::Value> tokenizer_file_default(const json::Value& document, std::string_view pointer);

/// A member of config.json that holds a whole model's configuration ("text_config"), not a group of settings.
bool is_nested_config(std::string_view key);

}  // namespace modelwatch::advisories
