#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace modelwatch::storage {

/// One zstd frame with a checksum of the content.
std::string compress(std::string_view bytes);
/// Empty where the frame is damaged or does not hold `size` bytes.
std::optional<std::string> decompress(std::string_view frame, std::uint64_t size);

}  // namespace modelwatch::storage
