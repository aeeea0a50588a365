#pragma once
#include <string>

#include "estimator/json/value.h"

namespace modelwatch::json {

enum class Style {
  compact,    ///< one line, no spaces: streams, stored documents
  pretty,     ///< two spaces a level: for people
  canonical,  ///< compact, keys sorted by bytes, equal numbers written equally: for digests of meaning
};

/// UTF-8 is written as it is; bytes that are not UTF-8 become U+FFFD; control characters are escaped.
/// Integers are written exactly,
/// reals in their shortest form that reads back equal, NaN and infinities as Python writes them.
std::string write(const Value& value, Style style = Style::compact);

}  // namespace modelwatch::json
