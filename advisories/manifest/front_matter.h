#pragma once
#include <string>
#include <string_view>

#include "estimator/json/value.h"

namespace modelwatch::advisories {

/// The YAML block between the "---" lines at the head of a model card.
struct FrontMatter {
  enum class State { absent, parsed, broken };
  State state = State::absent;
  json::Value value = json::Object{};  ///< an object; scalars typed as the Hub's reader types them, dates as text
  std::string problem;                 ///< "line 3, column 5: …", "never closed", "more than 20000 values"
  std::string_view body;               ///< the card's text behind it, into the bytes that were read
};

/// Bounded: 256 KiB of YAML, 20,000 values after aliases are followed, depth 32. Never throws.
FrontMatter read_front_matter(std::string_view card);

}  // namespace modelwatch::advisories
