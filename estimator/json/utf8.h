#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace modelwatch::json {

/// Length in bytes of the well-formed UTF-8 sequence at the start of `s` (RFC 3629: no overlong forms, no surrogates,
/// nothing above U+10FFFF), or 0 where there is none.
std::size_t utf8_length(std::string_view s);

void append_utf8(std::uint32_t code_point, std::string& out);

}  // namespace modelwatch::json
