#pragma once
#include <cstdint>
#include <string_view>
#include <variant>

namespace modelwatch::hub {

/// The header (key/values and tensor infos, without the padding before the data) ends after so many bytes.
struct HeaderEnd { std::uint64_t bytes; };
/// It goes on beyond what was given, to so many bytes at the least.
struct HeaderGoesOn { std::uint64_t at_least; };
/// This is no GGUF file of version 1 to 3, or one that nobody wrote in earnest.
struct NoHeader { std::string_view why; };

/// How far the header at the start of a GGUF file reaches, seen from its first bytes. Walks the structure without keeping
/// any of it; linear in the bytes given.
std::variant<HeaderEnd, HeaderGoesOn, NoHeader> gguf_extent(std::string_view start);

}  // namespace modelwatch::hub
