#pragma once
#include <string_view>

namespace modelwatch::http {

/// Width in pixels of ASCII text in 11 px Verdana; other characters count as a wide one.
double text_width(std::string_view text);

}  // namespace modelwatch::http
