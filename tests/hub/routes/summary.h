#pragma once
#include <optional>
#include <string>
#include <vector>

#include "estimator/json/value.h"
#include "tests/hub/git/objects.h"

namespace modelwatch::testhub {

/// What the Hub computes from the files after a push.
struct Summary {
  json::Object config;                      ///< a digest of config.json, `{}` where there is none
  std::optional<json::Object> card;         ///< front matter of README.md
  std::optional<json::Object> safetensors;  ///< {parameters: {dtype: n}, total}
  std::optional<json::Object> transformers;
  std::vector<std::string> tags;
  std::string pipeline_tag, library_name;
};

Summary summarize(const Tree& tree);

/// Front matter of a model card as JSON; nothing where there is none or it is not YAML.
std::optional<json::Object> read_card(std::string_view readme);

}  // namespace modelwatch::testhub
