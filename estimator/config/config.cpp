#include "estimator/config/config.h"

#include <array>
#include <cmath>
#include <utility>

#include "estimator/config/defaults.h"
#include "estimator/config/synonyms.h"
#include "estimator/json/writer.h"

namespace modelwatch::estimator {
namespace {

constexpr std::int64_t kLargestSize = std::int64_t{1} << 62;
constexpr std::size_t kLongestList = 100'000;

std::string shown(const json::Value& value) {
  std::string text = json::write(value);
  if (text.size() > 40) text = text.substr(0, 37) + "...";
  return text;
}

}  // namespace

Config::Config(const json::Value& root) : Config(&root, "", "", std::make_shared<State>()) {
  if (!root.is_object()) refuse("", "a configuration is an object");
}

Config::Config(const json::Value* value, std::string pointer, std::string type, std::shared_ptr<State> state)
    : object_(value ? value->object() : nullptr), pointer_(std::move(pointer)), type_(std::move(type)), state_(std::move(state)) {
  const json::Value* own = object_ ? object_->find("model_type") : nullptr;
  if (type_.empty() && own && own->string()) type_ = *own->string();
}

Config Config::part(std::string_view key, std::string_view fallback) const {
  const json::Value* value = raw(key);
  if (value && !value->is_null() && !value->is_object()) refuse(key, "must be an object, is " + shown(*value));
  Config nested(value, json::child_pointer(pointer_, key), std::string(part_type(type_, key)), state_);
  if (nested.type_.empty()) nested.type_ = fallback;
  return nested;
}

Config Config::text() const {
  constexpr std::string_view keys[] = {"text_config", "llm_config", "language_config", "thinker_config"};
  for (const std::string_view key : keys)
    if (const json::Value* value = raw(key); value && value->is_object()) return part(key);
  // Written flat, as the first files of a type were; or nothing but defaults.
  const bool flat = raw("hidden_size") || raw("num_hidden_layers") || raw("vocab_size");
  for (const std::string_view key : keys)
    if (const std::string_view type = part_type(type_, key); !type.empty()) return flat ? as(type) : part(key);
  return *this;
}

Config Config::part(std::string_view key, std::string_view fallback, const json::Value& defaults) const {
  if (const json::Value* value = raw(key); value && value->is_object()) return part(key, fallback);
  return Config(&defaults, json::child_pointer(pointer_, key), std::string(fallback), state_);
}

Config Config::as(std::string_view type) const {
  Config other = *this;
  other.type_ = type;
  return other;
}

const json::Value* Config::raw(std::string_view key) const { return object_ ? object_->find(key) : nullptr; }

bool Config::has(std::string_view key) const {
  const Found found = find(key);
  return found.value && !found.value->is_null();
}

Config::Found Config::find(std::string_view key) const {
  const std::string_view canonical = canonical_key(type_, key);
  const auto written = [&](std::string_view name) -> std::optional<Found> {
    const json::Value* value = raw(name);
    if (!value) return std::nullopt;
    return Found{*value, json::child_pointer(pointer_, name)};
  };
  for (const std::string_view name : {key, canonical})
    if (auto found = written(name)) return *found;
  for (const std::string_view name : other_names(key))
    if (auto found = written(name)) return *found;
  std::optional<json::Value> declared = default_of(type_, canonical);
  for (const std::string_view name : other_names(key))
    if (!declared) declared = default_of(type_, name);
  return {std::move(declared), json::child_pointer(pointer_, key)};
}

Count Config::to_count(const json::Value& value, const std::string& pointer, std::int64_t at_least) const {
  std::optional<std::int64_t> number = value.integer();
  if (const auto real = value.real(); !number && real && value.is_real() && *real == std::floor(*real) && std::fabs(*real) < 9e15)
    number = static_cast<std::int64_t>(*real);
  if (!number && value.is_big()) {
    refuse_at(pointer, "is too large: " + shown(value));
    return 1;
  }
  if (!number) {
    refuse_at(pointer, "must be an integer, is " + shown(value));
    return 1;
  }
  if (*number < at_least) {
    refuse_at(pointer, "must be at least " + std::to_string(at_least) + ", is " + shown(value));
    return 1;
  }
  if (*number > kLargestSize) {
    refuse_at(pointer, "is too large: " + shown(value));
    return 1;
  }
  if (*number > state_->largest) {
    state_->largest = *number;
    state_->largest_key = pointer;
  }
  return *number;
}

std::optional<Count> Config::number(std::string_view key, std::int64_t at_least) const {
  const Found found = find(key);
  if (!found.value || found.value->is_null()) return std::nullopt;
  return to_count(*found.value, found.pointer, at_least);
}

Count Config::size(std::string_view key) const {
  if (const auto value = number(key, 1)) return *value;
  refuse(key, "is needed and absent");
  return 1;
}

Count Config::size(std::string_view key, Count fallback) const { return number(key, 1).value_or(fallback); }
Count Config::count(std::string_view key, Count fallback) const { return number(key, 0).value_or(fallback); }
std::optional<Count> Config::maybe(std::string_view key) const { return number(key, 0); }

double Config::real(std::string_view key, double fallback) const {
  const Found found = find(key);
  if (!found.value || found.value->is_null()) return fallback;
  const auto value = found.value->real();
  if (value && std::isfinite(*value) && *value >= 0 && *value < 1e9) return *value;
  refuse_at(found.pointer, "must be a number, is " + shown(*found.value));
  return fallback;
}

bool Config::flag(std::string_view key, bool fallback) const {
  const Found found = find(key);
  if (!found.value || found.value->is_null()) return fallback;
  if (const auto value = found.value->boolean()) return *value;
  if (const auto value = found.value->integer()) return *value != 0;
  refuse_at(found.pointer, "must be true or false, is " + shown(*found.value));
  return fallback;
}

std::string Config::word(std::string_view key, std::string_view fallback) const {
  const Found found = find(key);
  if (!found.value || found.value->is_null()) return std::string(fallback);
  if (const std::string* value = found.value->string()) return *value;
  refuse_at(found.pointer, "must be a string, is " + shown(*found.value));
  return std::string(fallback);
}

std::vector<std::string> Config::words(std::string_view key) const {
  const Found found = find(key);
  if (!found.value || found.value->is_null()) return {};
  const json::Array* array = found.value->array();
  if (!array || array->size() > kLongestList) {
    refuse_at(found.pointer, "must be a list of strings, is " + shown(*found.value));
    return {};
  }
  std::vector<std::string> words;
  for (const json::Value& item : *array) {
    if (!item.string()) refuse_at(found.pointer, "must be a list of strings, has " + shown(item));
    words.push_back(item.string() ? *item.string() : std::string());
  }
  return words;
}

std::vector<Count> Config::counts(std::string_view key) const {
  const Found found = find(key);
  if (!found.value || found.value->is_null()) return {};
  const json::Array* array = found.value->array();
  if (!array) return {to_count(*found.value, found.pointer, 0)};
  if (array->size() > kLongestList) {
    refuse_at(found.pointer, "has more than 100,000 items");
    return {};
  }
  std::vector<Count> counts;
  for (std::size_t i = 0; i < array->size(); ++i)
    counts.push_back(to_count((*array)[i], json::child_pointer(found.pointer, std::to_string(i)), 0));
  return counts;
}

std::string Config::architecture() const {
  const json::Value* list = raw("architectures");
  if (!list || !list->array() || list->array()->empty()) return {};
  const std::string* first = list->array()->front().string();
  return first ? *first : std::string();
}

void Config::refuse(std::string_view key, std::string reason) const {
  refuse_at(key.empty() ? pointer_ : json::child_pointer(pointer_, key), std::move(reason));
}

void Config::refuse_at(const std::string& pointer, std::string reason) const {
  if (!state_->problem)
    state_->problem = Error{ErrorKind::bad_input, (pointer.empty() ? std::string("the document") : pointer) + ": " + reason, {}};
}

}  // namespace modelwatch::estimator
