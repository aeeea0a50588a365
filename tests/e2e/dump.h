#pragma once
#include <string>

namespace modelwatch::e2e {

/// Every row of a database as text: rows named by what they are, not by their number, and without the columns of our own
/// clock (when something was seen, polled, published), so that two databases of equal content give equal texts.
std::string dump(const std::string& database);

/// SQLite's own judgement of the file: "ok", or what is broken.
std::string integrity(const std::string& database);

}  // namespace modelwatch::e2e
