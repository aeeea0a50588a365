#pragma once
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "tests/hub/routes/context.h"

namespace modelwatch::testhub {

/// Sets Link: <base + path + query>; rel="next". Absolute, as the Hub writes it, even behind a proxy that is
/// not it.
void add_next_link(Reply& reply, const Context& context, const Query& query);

/// The `limit` parameter; or 400 where it is no number or above `most`. A fault's page size wins.
tl::expected<std::size_t, Reply> page_limit(const Context& context, std::size_t standard, std::size_t most);

/// base64(base64({"file_name":…,"tree_oid":…}) + ":" + limit): opaque to clients, so any change to it must
/// fail.
std::string tree_cursor(const std::string& last_path, const std::string& tree_oid, std::size_t limit);
/// The last path of the page before; nothing where the cursor is none of ours.
std::optional<std::string> tree_cursor_path(const std::string& cursor);

}  // namespace modelwatch::testhub
