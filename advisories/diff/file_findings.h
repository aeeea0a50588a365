#pragma once
#include "advisories/diff/part_differ.h"

namespace modelwatch::advisories {

/// What is said of a file known by its identity alone.
struct FileWords {
  std::string_view rule;   ///< prefix of the rule ids: "<rule>.added", ".removed", ".changed", ".moved"
  std::string_view noun;   ///< "weights", "tokenizer file"
  Impact added, removed, changed, moved;
};

Finding file_finding(const ChangedFile& file, const FileWords& words);

}  // namespace modelwatch::advisories
