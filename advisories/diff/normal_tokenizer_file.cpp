#include <algorithm>

#include "advisories/diff/json_difference.h"
#include "advisories/diff/normal_form.h"

namespace modelwatch::advisories {
namespace {

struct StageDefault {
  std::string_view place;  ///< member of the file, "*" for any
  std::string_view type;   ///< of the stage, "*" for any
  std::string_view key;
  json::Value (*value)();
};

json::Value none() { return {}; }
json::Value yes() { return true; }
json::Value no() { return false; }
json::Value empty_text() { return ""; }
json::Value always() { return "always"; }

/// As the structs of the `tokenizers` library declare them.
constexpr StageDefault kDefaults[] = {
    {"model", "BPE", "ignore_merges", no},       {"model", "BPE", "fuse_unk", no},
    {"model", "BPE", "byte_fallback", no},       {"model", "BPE", "dropout", none},
    {"model", "BPE", "unk_token", none},         {"model", "BPE", "continuing_subword_prefix", empty_text},
    {"model", "BPE", "end_of_word_suffix", empty_text}, {"model", "Unigram", "byte_fallback", no},
    {"*", "ByteLevel", "use_regex", yes},        {"*", "Metaspace", "prepend_scheme", always},
    {"*", "Metaspace", "split", yes},            {"*", "Split", "invert", no},
    {"padding", "*", "pad_to_multiple_of", none}, {"truncation", "*", "direction", [] { return json::Value("Right"); }}};

/// What a stage of this place does not look at: ByteLevel is one struct for three jobs.
bool is_unread(std::string_view place, std::string_view type, std::string_view key) {
  if (type == "Metaspace" && key == "str_rep") return true;
  if (type != "ByteLevel") return false;
  if (place == "decoder") return key != "type";
  if (place == "pre_tokenizer") return key == "trim_offsets";
  return place == "post_processor" && key == "use_regex";
}

std::string_view type_of(const json::Object& stage) {
  const json::Value* type = stage.find("type");
  return type && type->string() ? std::string_view(*type->string()) : std::string_view();
}

std::optional<json::Value> default_of(std::string_view place, std::string_view type, std::string_view key) {
  for (const StageDefault& row : kDefaults)
    if ((row.place == "*" || row.place == place) && (row.type == "*" || row.type == type) && row.key == key) return row.value();
  return std::nullopt;
}

json::Value normal_stage(std::string_view place, const json::Value& value);

json::Value normal_object(std::string_view place, const json::Object& stage) {
  std::string_view type = type_of(stage);
  if (place == "model" && type.empty()) type = "BPE";  // files that do not say are of the time when that was all there was
  json::Object out;
  for (const auto& [key, member] : stage) {
    if (is_unread(place, type, key)) continue;
    json::Value normal = normal_stage(place, member);
    if (type == "Metaspace" && key == "add_prefix_space") {
      // its name before prepend_scheme
      if (stage.find("prepend_scheme")) continue;
      if (normal.boolean() == false) out.append("prepend_scheme", "never");
      continue;
    }
    const auto standard = default_of(place, type, key);
    if (standard && (normal == *standard || normal.is_null())) continue;
    out.append(key, std::move(normal));
  }
  return out;
}

json::Value normal_stage(std::string_view place, const json::Value& value) {
  if (const json::Object* stage = value.object()) return normal_object(place, *stage);
  const json::Array* list = value.array();
  if (!list) return value;
  json::Array out;
  for (const json::Value& item : *list) out.push_back(normal_stage(place, item));
  return out;
}

/// A sequence of nothing does nothing.
bool is_empty_sequence(const json::Value& value) {
  const json::Object* stage = value.object();
  if (!stage || type_of(*stage) != "Sequence") return false;
  return std::all_of(stage->begin(), stage->end(), [](const json::Member& member) { return !member.second.array() || member.second.array()->empty(); });
}

}  // namespace

NormalForm normal_tokenizer_file(const json::Value& document) {
  const json::Object* object = document.object();
  if (!object) return {document, {}};
  json::Object out;
  for (const auto& [key, value] : *object) {
    if (value.is_null() || is_empty_sequence(value)) continue;
    out.append(key, normal_stage(key, value));
  }
  return {std::move(out), {}};
}

std::optional<json::Value> tokenizer_file_default(const json::Value& document, std::string_view pointer) {
  const std::vector<std::string> tokens = pointer_tokens(pointer);
  if (tokens.size() != 2) return std::nullopt;
  const json::Value* stage = document.find(tokens[0]);
  return stage && stage->object() ? default_of(tokens[0], type_of(*stage->object()), tokens[1]) : std::nullopt;
}

}  // namespace modelwatch::advisories
