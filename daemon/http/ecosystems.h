#pragma once
#include <string_view>

namespace modelwatch::http {

/// Whether OSV schema 1.9.0 knows this ecosystem, with or without a ":suffix"; GIT counts, as in queries.
bool is_ecosystem(std::string_view name);

}  // namespace modelwatch::http
