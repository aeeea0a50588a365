#include "estimator/json/utf8.h"

namespace modelwatch::json {

std::size_t utf8_length(std::string_view s) {
  if (s.empty()) return 0;
  const auto byte = [&](std::size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u; };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned a = byte(0), b = byte(1);
  if (a < 0x80) return 1;
  if (a < 0xC2) return 0;
  if (a < 0xE0) return tail(1) ? 2 : 0;
  if (a < 0xF0) {
    if (!tail(1) || !tail(2) || (a == 0xE0 && b < 0xA0) || (a == 0xED && b >= 0xA0)) return 0;
    return 3;
  }
  if (a > 0xF4 || !tail(1) || !tail(2) || !tail(3) || (a == 0xF0 && b < 0x90) || (a == 0xF4 && b >= 0x90)) return 0;
  return 4;
}

void append_utf8(std::uint32_t c, std::string& out) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6);
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3F));
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

}  // namespace modelwatch::json
