#pragma once
#include <string_view>

#include "advisories/diff/normal_form.h"
#include "advisories/diff/rules/rule.h"
#include "advisories/impact.h"

namespace modelwatch::advisories {

/// What a whole file's arrival or departure means.
struct Presence {
  Impact added, removed;              ///< at most, and at least: the gravest of its members decides between them
  std::string_view added_consequence, removed_consequence;
};

/// One kind of JSON file: who reads it, its one spelling, its rules.
struct Dialect {
  std::string_view name;              ///< as a sentence names the file's kind: "generation defaults"
  std::string_view key_prefix;        ///< put before a key when rules are looked up ("quantization_config/")
  NormalForm (*normal)(const json::Value& document);
  std::optional<json::Value> (*default_of)(const json::Value& document, std::string_view pointer);
  const RuleBook& (*rules)();
  Presence presence;
};

/// The dialect of a JSON file of this part, or null where no loader that we know reads it. `document` decides where the
/// name does not: a component of a diffusers pipeline and a transformers model are both "config.json".
const Dialect* dialect_of(std::string_view path, const json::Value* document);

/// Every dialect, for the generated documentation.
std::span<const Dialect* const> dialects();

/// The key that rules are looked up by: the pointer's tokens without nested parts, joined by '/', behind the prefix.
std::string rule_key(const Dialect& dialect, std::string_view pointer);

}  // namespace modelwatch::advisories
