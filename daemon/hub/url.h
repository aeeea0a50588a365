#pragma once
#include <string>
#include <string_view>

namespace modelwatch::hub {

/// "scheme://host:port" in lower case, the default port left out. Empty where this is no plain http(s) URL; user
/// information makes it none, so that `https://hub@other/` never passes for the hub.
std::string origin_of(std::string_view url);

/// What follows the authority: path and query, byte for byte; "/" where there is none.
std::string_view target_of(std::string_view url);

/// Where a Location or Link leads that was given with `base`: absolute, "//host/…", "/path", "?query" or relative. Bytes
/// are kept as they are. Empty where it holds spaces or control characters, or is not http(s).
std::string resolve(std::string_view base, std::string_view reference);

/// Percent-encodes all but unreserved characters; `encode_path` keeps '/'.
std::string encode(std::string_view segment);
std::string encode_path(std::string_view path);

}  // namespace modelwatch::hub
