#pragma once
#include <optional>
#include <string_view>

#include "estimator/json/value.h"

/// The pieces that the normal forms of several files share.
namespace modelwatch::advisories {

/// dtype without "torch.", stop ids as a sorted set (one of them as itself); everything else as it is.
json::Value normal_config_value(std::string_view key, const json::Value& value);

/// Default of the model type, else of every config.
std::optional<json::Value> config_key_default(std::string_view type, std::string_view key);
/// What every configuration class of transformers declares, generation defaults of its fourth version included.
std::optional<json::Value> base_config_default(std::string_view key);
/// GenerationConfig.
std::optional<json::Value> base_generation_default(std::string_view key);

}  // namespace modelwatch::advisories
