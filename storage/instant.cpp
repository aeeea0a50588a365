#include "storage/instant.h"

#include <charconv>
#include <chrono>

namespace modelwatch::storage {

namespace {

/// Reads fixed-width numbers and separators off the front of a text; once something does not fit, nothing does.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  int number(std::size_t digits) {
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (rest_.empty() || rest_[0] < '0' || rest_[0] > '9') return fits_ = false;
      value = value * 10 + (rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    return value;
  }
  void expect(std::string_view any_of) {
    if (!accept(any_of)) fits_ = false;
  }
  bool accept(std::string_view any_of) {
    if (rest_.empty() || any_of.find(rest_[0]) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void skip_digits() {
    while (accept("0123456789")) {
    }
  }
  bool fits() const { return fits_; }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  bool fits_ = true;
};

}  // namespace

std::optional<Time> parse_instant(std::string_view text) {
  using namespace std::chrono;
  Scanner scanner(text);
  const int y = scanner.number(4);
  scanner.expect("-");
  const int m = scanner.number(2);
  scanner.expect("-");
  const int d = scanner.number(2);
  int hour = 0, minute = 0, second = 0;
  if (scanner.accept("Tt ")) {
    hour = scanner.number(2);
    scanner.expect(":");
    minute = scanner.number(2);
    if (scanner.accept(":")) second = scanner.number(2);
    if (scanner.accept(".")) scanner.skip_digits();
    (void)scanner.accept("Zz");
  }
  const year_month_day date(year{y}, month{static_cast<unsigned>(m)}, day{static_cast<unsigned>(d)});
  if (!scanner.fits() || !scanner.at_end() || !date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  return sys_days(date) + hours(hour) + minutes(minute) + seconds(second);
}

std::optional<std::int64_t> parse_cursor(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || text[0] == '-' || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace modelwatch::storage
