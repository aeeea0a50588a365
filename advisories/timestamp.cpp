#include "advisories/timestamp.h"

#include <algorithm>
#include <cstdio>

namespace modelwatch::advisories {
namespace {

using namespace std::chrono;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The number written in `text[at, at + length)`, or -1.
int digits(std::string_view text, std::size_t at, std::size_t length) {
  int value = 0;
  for (std::size_t i = at; i < at + length; ++i) {
    if (!is_digit(text[i])) return -1;
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

}  // namespace

std::string rfc3339(Time time) {
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02dZ", int(date.year()), unsigned(date.month()), unsigned(date.day()),
                int(clock.hours().count()), int(clock.minutes().count()), int(clock.seconds().count()));
  return text;
}

std::optional<Time> parse_rfc3339(std::string_view text) {
  constexpr std::string_view shape = "0000-00-00T00:00:00";
  if (text.size() <= shape.size() || text.back() != 'Z') return std::nullopt;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] == '0' ? !is_digit(text[i]) : text[i] != shape[i]) return std::nullopt;
  std::string_view fraction = text.substr(shape.size());
  fraction.remove_suffix(1);
  if (!fraction.empty() &&
      (fraction[0] != '.' || fraction.size() < 2 || !std::all_of(fraction.begin() + 1, fraction.end(), is_digit)))
    return std::nullopt;
  const year_month_day date(year(digits(text, 0, 4)), month(unsigned(digits(text, 5, 2))), day(unsigned(digits(text, 8, 2))));
  const int hour = digits(text, 11, 2), minute = digits(text, 14, 2), second = digits(text, 17, 2);
  if (!date.ok() || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  return sys_days(date) + hours(hour) + minutes(minute) + seconds(second);
}

int year_of(Time time) { return std::clamp(int(year_month_day(floor<days>(time)).year()), 0, 9999); }

}  // namespace modelwatch::advisories
