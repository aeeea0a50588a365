#include "daemon/cli/since.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "advisories/osv/advisory.h"
#include "daemon/cli/table.h"
#include "estimator/json/reader.h"

namespace modelwatch::cli {

std::optional<storage::Time> parse_time(const std::string& text) {
  int year = 0, hour = 0, minute = 0, second = 0, used = 0;
  unsigned month = 0, day = 0;
  if (std::sscanf(text.c_str(), "%4d-%2u-%2u%n", &year, &month, &day, &used) != 3) return {};
  const std::string rest = text.substr(static_cast<std::size_t>(used));
  if (!rest.empty() && rest != "Z") {
    int end = 0;
    if (std::sscanf(rest.c_str(), "T%2d:%2d:%2d%n", &hour, &minute, &second, &end) != 3) return {};
    const std::string zone = rest.substr(static_cast<std::size_t>(end));
    if (!zone.empty() && zone != "Z") return {};
  }
  const std::chrono::year_month_day date(std::chrono::year{year}, std::chrono::month{month}, std::chrono::day{day});
  if (!date.ok() || hour > 23 || minute > 59 || second > 60) return {};
  return std::chrono::sys_days(date) + std::chrono::hours{hour} + std::chrono::minutes{minute} + std::chrono::seconds{second};
}

Result<Since> Since::parse(const std::string& text, storage::Store& store) {
  Since since;
  if (text.empty()) return since;
  since.time_ = parse_time(text);
  if (since.time_) return since;
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  if (text.size() >= 7 && text.size() <= 40 && std::all_of(text.begin(), text.end(), is_hex)) {
    since.sha_ = text;
    return since;
  }
  const auto found = store.advisory(text);
  if (!found) {
    return fail(ErrorKind::usage, "--since " + printable(text) + " is no date, revision or known advisory",
                "--since 2026-10-03, --since 1a2b3c4 or --since x_MODELWATCH-…");
  }
  const auto document = json::read(found->document);
  if (!document) return fail(ErrorKind::database, text + " is stored broken: " + document.error().to_string(), "modelwatch db check");
  auto advisory = advisories::from_osv(document->value);
  if (!advisory) return tl::unexpected(advisory.error());
  since.sha_ = advisory->introduced;
  return since;
}

bool Since::includes(const storage::RevisionRow& revision) const {
  if (time_ && revision.seen < *time_) return false;
  return sha_.empty() || !revision.sha.starts_with(sha_);
}

}  // namespace modelwatch::cli
