#include "estimator/config/defaults.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>

#include "estimator/json/reader.h"

namespace modelwatch::estimator {
namespace {

struct Pair {
  std::string_view first;
  std::string_view second;
};

struct TypeRow {
  std::string_view name;
  std::uint16_t defaults;
  std::uint16_t synonyms;
  std::uint16_t parts;
};

#include "estimator/config/defaults_table.inc"

/// The rows of one type, as slices of the index arrays; the slices lie in the order of kTypes.
struct Type {
  std::span<const std::uint16_t> defaults;
  std::span<const std::uint16_t> synonyms;
  std::span<const std::uint16_t> parts;
};

std::map<std::string_view, Type> slice_types() {
  std::map<std::string_view, Type> types;
  const std::uint16_t* defaults = kDefaultsOf;
  const std::uint16_t* synonyms = kSynonymsOf;
  const std::uint16_t* parts = kPartsOf;
  for (const TypeRow& row : kTypes) {
    types[row.name] = {{defaults, row.defaults}, {synonyms, row.synonyms}, {parts, row.parts}};
    defaults += row.defaults;
    synonyms += row.synonyms;
    parts += row.parts;
  }
  return types;
}

const Type* find_type(std::string_view model_type) {
  static const std::map<std::string_view, Type> types = slice_types();
  const auto it = types.find(model_type);
  return it == types.end() ? nullptr : &it->second;
}

/// The pair whose first name is `key`: the pairs are sorted, and so are the indices of a type.
const Pair* find_pair(std::span<const std::uint16_t> rows, const Pair* pairs, std::string_view key) {
  const auto it = std::lower_bound(rows.begin(), rows.end(), key,
                                   [&](std::uint16_t row, std::string_view k) { return pairs[row].first < k; });
  return it != rows.end() && pairs[*it].first == key ? &pairs[*it] : nullptr;
}

/// Declared alike by every class.
constexpr std::string_view kFalseEverywhere[] = {"is_encoder_decoder", "is_decoder", "add_cross_attention"};

}  // namespace

std::optional<json::Value> default_of(std::string_view model_type, std::string_view key) {
  const Type* type = find_type(model_type);
  if (!type) return std::nullopt;
  if (const Pair* pair = find_pair(type->defaults, kDefaults, canonical_key(model_type, key)))
    return json::read(pair->second)->value;
  if (std::ranges::find(kFalseEverywhere, key) != std::end(kFalseEverywhere)) return json::Value(false);
  return std::nullopt;
}

std::string_view canonical_key(std::string_view model_type, std::string_view key) {
  if (key == "torch_dtype") return "dtype";
  const Type* type = find_type(model_type);
  const Pair* pair = type ? find_pair(type->synonyms, kSynonyms, key) : nullptr;
  return pair ? pair->second : key;
}

std::string_view part_type(std::string_view model_type, std::string_view key) {
  const Type* type = find_type(model_type);
  const Pair* pair = type ? find_pair(type->parts, kParts, key) : nullptr;
  return pair ? pair->second : std::string_view();
}

bool knows_type(std::string_view model_type) { return find_type(model_type) != nullptr; }

}  // namespace modelwatch::estimator
