#include "estimator/units.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace modelwatch::estimator {
namespace {

std::string fixed(double value, int decimals, const char* unit) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.*f%s", decimals, value, unit);
  return text.data();
}

}  // namespace

std::string bytes_text(double bytes) {
  const double size = std::fabs(bytes);
  if (size >= 999.5e9) return fixed(bytes / 1e12, 2, " TB");
  if (size >= 100e9) return fixed(bytes / 1e9, 0, " GB");
  if (size >= 10e9) return fixed(bytes / 1e9, 1, " GB");
  if (size >= 0.1e9) return fixed(bytes / 1e9, 2, " GB");
  if (size >= 1e6) return fixed(bytes / 1e6, 0, " MB");
  if (size >= 1e3) return fixed(bytes / 1e3, 0, " kB");
  return fixed(bytes, 0, " B");
}

std::string grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string count_text(double count) {
  if (count >= 99.95e9) return fixed(count / 1e9, 0, "B");
  if (count >= 1e9) return fixed(count / 1e9, 2, "B");
  if (count >= 1e6) return fixed(count / 1e6, 0, "M");
  return fixed(count, 0, "");
}

}  // namespace modelwatch::estimator
