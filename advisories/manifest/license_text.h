#pragma once
#include <string_view>

namespace modelwatch::advisories {

/// Which well-known licence a text is, by the words at its head ("Apache-2.0"); empty where none is recognised.
std::string_view recognised_license(std::string_view text);

}  // namespace modelwatch::advisories
