#pragma once
#include <string>
#include <string_view>

#include "daemon/http/message.h"
#include "storage/records.h"

namespace modelwatch::http {

/// Gives a 200 to GET or HEAD a strong ETag of its body where it has none, and makes it a 304 where the request's
/// If-None-Match has that tag, or, without one, its If-Modified-Since is not before the reply's Last-Modified.
Reply conditional(const Request& request, Reply reply);

/// "Mon, 24 Aug 2026 16:40:31 GMT"
std::string http_date(storage::Time time);
std::optional<storage::Time> parse_http_date(std::string_view text);

}  // namespace modelwatch::http
