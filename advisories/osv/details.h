#pragma once
#include <string>
#include <string_view>

#include "advisories/osv/advisory.h"

namespace modelwatch::advisories {

/// "chat template": what a person calls a part.
std::string_view title(Part part);

/// One line of plain text, without a word of upstream's but the repository's name.
std::string summary_of(const Advisory& advisory);

/// CommonMark without raw HTML: what changed, where it ended, what the record does not claim. Upstream's words stand in
/// a fenced block or a code span longer than any run of backticks in them, without control characters, and capped.
std::string details_of(const Advisory& advisory);

/// Upstream's words as one line: well-formed UTF-8 of at most `most` bytes, controls and direction marks written as \u{…}.
std::string plain_line(std::string_view text, std::size_t most);

}  // namespace modelwatch::advisories
