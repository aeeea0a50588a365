#pragma once
// The records of a zip file (APPNOTE 6.3.10), little-endian.
#include <cstdint>
#include <string>
#include <string_view>

namespace modelwatch::advisories::zip {

inline constexpr std::uint32_t kLocal = 0x04034b50, kCentral = 0x02014b50, kEnd = 0x06054b50, kEnd64 = 0x06064b50, kLocator64 = 0x07064b50;
inline constexpr std::size_t kLocalSize = 30, kCentralSize = 46, kEndSize = 22, kEnd64Size = 56, kLocator64Size = 20;
inline constexpr std::uint16_t kDeflate = 8, kTimestampField = 0x5455, kZip64Field = 0x0001;
inline constexpr std::size_t kTimestampSize = 9;  ///< of the extra field with one time
inline constexpr std::uint32_t kIn64 = 0xFFFFFFFF;  ///< the value is in the ZIP64 field

inline void put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

/// `bytes` must lie inside of `from`.
inline std::uint64_t get(std::string_view from, std::size_t at, int bytes) {
  std::uint64_t value = 0;
  for (int i = 0; i < bytes; ++i) value |= std::uint64_t(static_cast<unsigned char>(from[at + std::size_t(i)])) << (8 * i);
  return value;
}

}  // namespace modelwatch::advisories::zip
