#include "daemon/http/conditional.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

#include "advisories/manifest/digest.h"

namespace modelwatch::http {

namespace {

constexpr std::array kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

std::string_view header(const Reply& reply, std::string_view name) {
  for (const auto& [key, value] : reply.headers)
    if (key == name) return value;
  return {};
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// Weak comparison, as the standard wants it for If-None-Match.
bool lists(std::string_view tags, std::string_view tag) {
  while (!tags.empty()) {
    std::string_view one = trimmed(tags.substr(0, tags.find(',')));
    tags.remove_prefix(std::min(tags.size(), tags.find(',') == tags.npos ? tags.size() : tags.find(',') + 1));
    if (one.starts_with("W/")) one.remove_prefix(2);
    if (one == tag || one == "*") return true;
  }
  return false;
}

bool unchanged(const Request& request, const Reply& reply) {
  if (const std::string_view tags = request.header("if-none-match"); !tags.empty()) return lists(tags, header(reply, "ETag"));
  const auto since = parse_http_date(request.header("if-modified-since"));
  const auto modified = parse_http_date(header(reply, "Last-Modified"));
  return since && modified && *modified <= *since;
}

}  // namespace

std::string http_date(storage::Time time) {
  using namespace std::chrono;
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  char text[40];
  std::snprintf(text, sizeof text, "%s, %02u %s %04d %02d:%02d:%02d GMT", kDays[weekday(day).c_encoding()], unsigned(date.day()),
                kMonths[unsigned(date.month()) - 1], int(date.year()), int(clock.hours().count()), int(clock.minutes().count()),
                int(clock.seconds().count()));
  return text;
}

std::optional<storage::Time> parse_http_date(std::string_view text) {
  using namespace std::chrono;
  int day = 0, year = 0, hour = 0, minute = 0, second = 0, end = 0;
  char month[4] = {};
  const std::string copy(text);
  if (copy.size() != 29 || std::sscanf(copy.c_str(), "%*3c, %2d %3c %4d %2d:%2d:%2d GMT%n", &day, month, &year, &hour, &minute, &second, &end) != 6 ||
      end != 29)
    return std::nullopt;
  for (unsigned m = 0; m < kMonths.size(); ++m) {
    if (std::string_view(month) != kMonths[m]) continue;
    const year_month_day date(std::chrono::year{year}, std::chrono::month{m + 1}, std::chrono::day{unsigned(day)});
    if (!date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
    return sys_days(date) + hours(hour) + minutes(minute) + seconds(second);
  }
  return std::nullopt;
}

Reply conditional(const Request& request, Reply reply) {
  if (reply.status != 200 || (request.method != "GET" && request.method != "HEAD")) return reply;
  if (header(reply, "ETag").empty()) reply.headers.emplace_back("ETag", '"' + advisories::sha256(reply.body).substr(0, 32) + '"');
  if (unchanged(request, reply)) {
    reply.status = 304;
    reply.body.clear();
  }
  return reply;
}

}  // namespace modelwatch::http
