#pragma once
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "advisories/impact.h"

namespace modelwatch::cli {

/// Rows for people: columns as wide as their longest cell, two spaces apart, the last one unpadded.
class Table {
 public:
  explicit Table(std::vector<std::string> head) { rows_.push_back(std::move(head)); }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.size() == 1; }
  /// With color, the cells that name an impact wear it.
  void print(std::ostream& out, bool color) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// Upstream's words for a terminal: one line, no control characters, at most `width` columns (… marks a cut).
std::string printable(std::string_view text, std::size_t width = 120);

/// The name of an impact, in its color.
std::string colored(advisories::Impact impact, bool color);

/// How many columns a UTF-8 text takes, near enough for tables.
std::size_t width_of(std::string_view text);

}  // namespace modelwatch::cli
