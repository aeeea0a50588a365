#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace modelwatch::advisories {

using Time = std::chrono::sys_seconds;

/// "2026-08-20T09:12:04Z": the only form in which we write a time.
std::string rfc3339(Time time);

/// Reads that form, a fraction of seconds (dropped) allowed, as the Hub and OSV write it: UTC with an upper-case Z.
/// Empty for anything else, dates that do not exist included.
std::optional<Time> parse_rfc3339(std::string_view text);

/// UTC year of a time, kept between 0 and 9999.
int year_of(Time time);

}  // namespace modelwatch::advisories
