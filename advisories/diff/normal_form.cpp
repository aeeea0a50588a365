#include "advisories/diff/normal_form.h"

#include <algorithm>
#include <span>

#include "advisories/diff/normal_values.h"
#include "estimator/json/reader.h"
#include "estimator/json/writer.h"

namespace modelwatch::advisories {
namespace {

struct Default {
  std::string_view key, text;  // the value as JSON
};

std::optional<json::Value> look_up(std::span<const Default> table, std::string_view key) {
  for (const Default& row : table)
    if (row.key == key) return json::read(row.text)->value;
  return std::nullopt;
}

// PretrainedConfig of transformers 4 and 5.
constexpr Default kConfigDefaults[] = {
    {"return_dict", "true"},          {"output_hidden_states", "false"}, {"output_attentions", "false"}, {"torchscript", "false"},
    {"use_bfloat16", "false"},               {"tf_legacy_loss", "false"},       {"pruned_heads", "{}"},         {"chunk_size_feed_forward", "0"},
    {"is_encoder_decoder", "false"},         {"is_decoder", "false"},           {"add_cross_attention", "false"}, {"tie_encoder_decoder", "false"},
    {"id2label", R"({"0":"LABEL_0","1":"LABEL_1"})"}, {"label2id", R"({"LABEL_0":0,"LABEL_1":1})"}, {"output_past", "true"}};

// GenerationConfig. top_k is left out: transformers takes 50 where none is written, vLLM the whole vocabulary.
constexpr Default kGenerationDefaults[] = {
    {"max_length", "20"},   {"min_length", "0"},         {"do_sample", "false"},      {"early_stopping", "false"},   {"num_beams", "1"},
    {"num_beam_groups", "1"},      {"use_cache", "true"},       {"temperature", "1.0"},      {"top_p", "1.0"},              {"typical_p", "1.0"},
    {"epsilon_cutoff", "0.0"},     {"eta_cutoff", "0.0"},       {"diversity_penalty", "0.0"}, {"repetition_penalty", "1.0"}, {"encoder_repetition_penalty", "1.0"},
    {"length_penalty", "1.0"},     {"no_repeat_ngram_size", "0"}, {"renormalize_logits", "false"}, {"remove_invalid_values", "false"},
    {"token_healing", "false"},    {"num_return_sequences", "1"}, {"output_attentions", "false"}, {"output_hidden_states", "false"},
    {"output_scores", "false"},    {"return_dict_in_generate", "false"}, {"encoder_no_repeat_ngram_size", "0"}, {"low_memory", "false"}};

// LoraConfig of PEFT.
constexpr Default kAdapterDefaults[] = {
    {"lora_dropout", "0.0"},  {"bias", R"("none")"},       {"fan_in_fan_out", "false"},  {"inference_mode", "false"}, {"init_lora_weights", "true"},
    {"loftq_config", "{}"},          {"eva_config", "null"},      {"rank_pattern", "{}"},       {"alpha_pattern", "{}"},     {"megatron_core", R"("megatron.core")"},
    {"use_dora", "false"},           {"use_rslora", "false"},     {"lora_bias", "false"},       {"use_qalora", "false"},     {"qalora_group_size", "16"},
    {"ensure_weight_tying", "false"}, {"runtime_config", R"({"ephemeral_gpu_offload":false})"}};

void sort_as_set(json::Value& value) {
  json::Array* list = value.array();
  if (!list) return;
  std::vector<std::pair<std::string, json::Value>> items;
  for (json::Value& item : *list) items.emplace_back(json::write(item, json::Style::canonical), std::move(item));
  std::sort(items.begin(), items.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  items.erase(std::unique(items.begin(), items.end(), [](const auto& a, const auto& b) { return a.first == b.first; }), items.end());
  list->clear();
  for (auto& item : items) list->push_back(std::move(item.second));
}

bool one_of(std::string_view key, std::initializer_list<std::string_view> keys) { return std::find(keys.begin(), keys.end(), key) != keys.end(); }

std::string_view string_at(const json::Value& document, std::string_view key) {
  const json::Value* found = document.find(key);
  return found && found->string() ? std::string_view(*found->string()) : std::string_view();
}

/// Classes of transformers that pad in front where the file does not say.
bool pads_left(std::string_view tokenizer_class) {
  for (const std::string_view name : {"Llama", "CodeLlama", "Gemma", "Bloom", "XLNet", "ChatGLM", "GLM", "Cohere"})
    if (tokenizer_class.starts_with(name)) return true;
  return false;
}

/// Classes that put the start token in front of every text where the file does not say.
bool adds_start(std::string_view tokenizer_class) {
  return tokenizer_class.starts_with("Llama") || tokenizer_class.starts_with("CodeLlama") || tokenizer_class.starts_with("Gemma");
}

/// A special token as its text, where its flags are those that a bare text gets.
json::Value normal_token(const json::Value& value) {
  const json::Value* text = value.find("content");
  if (!text || !text->string()) return value;
  for (const std::string_view flag : {"lstrip", "rstrip", "single_word", "normalized"})
    if (const json::Value* set = value.find(flag); set && set->boolean() == true) {
      json::Value kept = value;
      kept.object()->erase("__type");
      kept.object()->erase("special");
      return kept;
    }
  return *text;
}

/// Whether a token of the list of further special tokens is one of the named ones anyway (bos_token, …).
bool is_named_token(const json::Value& document, const json::Value& token) {
  for (const auto& [key, value] : *document.object())
    if (key.ends_with("_token") && normal_token(value) == token) return true;
  return false;
}

using KeyDefault = std::optional<json::Value> (*)(const json::Value& document, std::string_view key);

/// Members one by one: `change` rewrites a value, those at their default are left out.
template <class Change>
NormalForm by_member(const json::Value& document, KeyDefault known, Change change) {
  if (!document.object()) return {document, {}};
  json::Object out;
  for (const auto& [key, given] : *document.object()) {
    json::Value value = given;
    if (!change(key, value)) continue;
    const auto standard = known(document, key);
    if (standard ? value == *standard : value.is_null()) continue;
    out.append(key, std::move(value));
  }
  return {std::move(out), {}};
}

std::string_view last_key(std::string_view pointer) { return pointer.substr(pointer.find_last_of('/') + 1); }
bool at_root(std::string_view pointer) { return !pointer.empty() && pointer.rfind('/') == 0; }

std::optional<json::Value> adapter_key(const json::Value&, std::string_view key) { return look_up(kAdapterDefaults, key); }
std::optional<json::Value> generation_key(const json::Value&, std::string_view key) { return base_generation_default(key); }
std::optional<json::Value> no_default(const json::Value&, std::string_view) { return std::nullopt; }
std::optional<json::Value> tokenizer_key(const json::Value& document, std::string_view key) {
  if (key == "truncation_side") return "right";
  const std::string_view tokenizer_class = string_at(document, "tokenizer_class");
  if (key == "padding_side") return pads_left(tokenizer_class) ? "left" : "right";
  if (key == "add_bos_token" && adds_start(tokenizer_class)) return true;
  if (key == "add_eos_token") return false;
  return std::nullopt;
}

}  // namespace

std::vector<std::string> NormalForm::places_of(std::string_view pointer) const {
  for (std::size_t end = pointer.size(); end != std::string_view::npos && end > 0; end = pointer.substr(0, end).rfind('/')) {
    const auto found = moved.find(pointer.substr(0, end));
    if (found == moved.end()) continue;
    std::vector<std::string> places = found->second;
    for (std::string& place : places) place += pointer.substr(end);
    return places;
  }
  return {std::string(pointer)};
}

json::Value normal_config_value(std::string_view key, const json::Value& value) {
  if (key == "dtype" && value.string() && value.string()->starts_with("torch.")) return value.string()->substr(6);
  if (key != "eos_token_id" || !value.array()) return value;
  json::Value ids = value;
  sort_as_set(ids);
  return ids.array()->size() == 1 ? ids.array()->front() : ids;
}

std::optional<json::Value> base_config_default(std::string_view key) {
  if (auto found = look_up(kConfigDefaults, key)) return found;
  return key == "use_cache" ? std::nullopt : look_up(kGenerationDefaults, key);
}
std::optional<json::Value> base_generation_default(std::string_view key) { return look_up(kGenerationDefaults, key); }

NormalForm normal_generation(const json::Value& document) {
  return by_member(document, generation_key, [](const std::string& key, json::Value& value) {
    value = normal_config_value(key, value);
    return true;
  });
}

NormalForm normal_adapter(const json::Value& document) {
  return by_member(document, adapter_key, [](const std::string& key, json::Value& value) {
    if (key == "layers_to_transform" && value.integer()) value = json::Array{value};
    if (one_of(key, {"target_modules", "exclude_modules", "modules_to_save", "layers_to_transform", "target_parameters"})) sort_as_set(value);
    return true;
  });
}

NormalForm normal_tokenizer(const json::Value& document) {
  return by_member(document, tokenizer_key, [&document](const std::string& key, json::Value& value) {
    if (key == "chat_template") return false;
    if (key.ends_with("_token")) value = normal_token(value);
    if (key == "additional_special_tokens" || key == "extra_special_tokens") {
      if (json::Array* list = value.array())
        for (json::Value& item : *list) item = normal_token(item);
      if (json::Array* list = value.array()) std::erase_if(*list, [&](const json::Value& item) { return is_named_token(document, item); });
      sort_as_set(value);
      if (value.array() && value.array()->empty()) return false;
    }
    // transformers writes int(1e30) where there is no limit
    return !(key == "model_max_length" && value.real() && *value.real() >= 1e18);
  });
}

NormalForm normal_processor(const json::Value& document) {
  return by_member(document, no_default, [&document](const std::string& key, json::Value& value) {
    const bool in_module = value.string() && value.string()->find('.') != std::string::npos;  // a class in the repository's code
    if (one_of(key, {"image_processor", "feature_extractor", "image_processor_class", "feature_extractor_class"}) && value.string()) return in_module;
    return key != "feature_extractor_type" || !document.find("image_processor_type");
  });
}

NormalForm normal_plain(const json::Value& document) {
  return by_member(document, no_default, [](const std::string&, json::Value&) { return true; });
}
NormalForm normal_verbatim(const json::Value& document) { return {document, {}}; }

std::optional<json::Value> generation_default(const json::Value&, std::string_view pointer) {
  return at_root(pointer) ? base_generation_default(last_key(pointer)) : std::nullopt;
}
std::optional<json::Value> adapter_default(const json::Value&, std::string_view pointer) {
  return at_root(pointer) ? look_up(kAdapterDefaults, last_key(pointer)) : std::nullopt;
}
std::optional<json::Value> tokenizer_default(const json::Value& document, std::string_view pointer) {
  return at_root(pointer) ? tokenizer_key(document, last_key(pointer)) : std::nullopt;
}

}  // namespace modelwatch::advisories
