#pragma once
#include <string_view>

namespace modelwatch::advisories {

/// Whether current transformers or vLLM know this scaling type of rotary positions.
bool is_known_rope_type(std::string_view type);

}  // namespace modelwatch::advisories
