#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "estimator/json/value.h"

namespace modelwatch::json {

/// Bounds on text from strangers. Python's own limit on nesting is about 1,000 frames; published files need 12.
struct Limits {
  std::size_t depth = 64;
  std::size_t values = 4'000'000;
};

/// Where reading failed and why. Lines and columns count from 1; a column is a byte, as editors with UTF-8 differ.
struct Problem {
  std::size_t line = 1;
  std::size_t column = 1;
  std::string reason;  ///< "trailing comma", "comment", "unterminated string", …

  std::string to_string() const;  ///< "line 12, column 3: trailing comma"
};

struct Document {
  Value value;
  std::vector<std::string> duplicates;  ///< pointers of keys that occur twice in one object; the last one counts
  bool non_finite = false;              ///< NaN or ±Infinity occurs
};

/// Reads what Python's json.loads reads, and refuses what it refuses: NaN, Infinity and -Infinity are numbers,
/// a byte order mark, comments, trailing commas and control characters in strings are errors. Text that is not
/// UTF-8 is an error, lone surrogate escapes are kept as U+FFFD. Linear in the text, never recursive beyond the limit.
tl::expected<Document, Problem> read(std::string_view text, Limits limits = {});

/// What can still be read of a broken document: comments, trailing and missing commas, single quotes, Python's
/// True / False / None, unclosed brackets and text after the end are stepped over, each noted in `problems`.
struct Salvaged {
  Value value;
  std::vector<Problem> problems;  ///< at most 100
};
Salvaged salvage(std::string_view text, Limits limits = {});

}  // namespace modelwatch::json
