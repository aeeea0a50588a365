#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "storage/records.h"

namespace modelwatch::storage {

/// "2026-08-20", "2026-08-20T09:12Z", "2026-08-20T09:12:04Z" (UTC; a fraction of a second is cut off); a blank may stand
/// for the T, and the Z may be missing. Empty for anything else, and for days that no calendar has.
std::optional<Time> parse_instant(std::string_view text);
/// A sequence number of the stream of changes: decimal digits.
std::optional<std::int64_t> parse_cursor(std::string_view text);

}  // namespace modelwatch::storage
