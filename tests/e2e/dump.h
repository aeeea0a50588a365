#pragma once
#include <string>

namespace modelwatch::e2e {

/// Every row of a database as text: rows named by what they are, not by their number, and without the columns of our own
/// clock (when something was seen, polled, published), so that two databases of equal content give equal texts.
std::string dump(const std::string& database);

/// The lines that only one of two dumps has, with "- " (only in `a`) or "+ " before them; empty where they are equal.
std::string difference(const std::string& a, const std::string& b);

/// SQLite's own judgement of the file: "ok", or what is broken.
std::string integrity(const std::string& database);

}  // namespace modelwatch::e2e
