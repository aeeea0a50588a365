#pragma once
#include <optional>
#include <string>

#include "daemon/hub/transport.h"

namespace modelwatch::hub {

/// The reference of `Link: <…>; rel="next"`, byte for byte; none on the last page. Its host is whatever the server
/// thinks its public name is: only path and query of it are to be used, at the endpoint.
std::optional<std::string> next_page(const Response& response);

/// X-Total-Count, where the server sends it.
std::optional<std::uint64_t> total_count(const Response& response);

}  // namespace modelwatch::hub
