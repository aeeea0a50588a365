#pragma once
#include "tests/hub/wire/message.h"

namespace modelwatch::testhub {

/// Puts the file, or the part a Range header asks for, into the reply: 200, 206 with Content-Range, or 416.
/// Several ranges, ranges that cannot be understood and any range of an empty file get the whole file, as on
/// the Hub.
void put_content(Reply& reply, const Content& content, const Request& request, bool ignore_range);

/// inline; filename*=UTF-8''x; filename="x";
std::string content_disposition(const std::string& path);

}  // namespace modelwatch::testhub
