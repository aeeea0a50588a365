#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "estimator/json/value.h"

namespace modelwatch::advisories {

/// A group of neighbouring changed lines with three lines around. Each line begins with ' ', '-' or '+'.
struct TextHunk {
  std::size_t before_line = 1;  ///< first line, from 1
  std::size_t after_line = 1;
  std::vector<std::string> lines;
};

struct TextDifference {
  std::size_t added = 0, removed = 0;  ///< lines
  bool replaced = false;               ///< more than `kMaxLines` on a side: not compared line by line, no hunks
  bool cut = false;                    ///< there are more hunks or longer lines than kept
  std::vector<TextHunk> hunks;         ///< at most 40, of 400 lines together
};

inline constexpr std::size_t kMaxLines = 5000;

/// Line by line. A line longer than 160 bytes is also split behind "%}" and "}}": templates are often one line.
TextDifference text_difference(std::string_view before, std::string_view after);

/// {"added", "removed", "hunks": [{"before_line", "after_line", "lines"}]}
json::Object to_json(const TextDifference& difference);

}  // namespace modelwatch::advisories
