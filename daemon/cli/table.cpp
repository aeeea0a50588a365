#include "daemon/cli/table.h"

#include <algorithm>
#include <ostream>

namespace modelwatch::cli {

namespace {

std::string_view color_of(advisories::Impact impact) {
  using advisories::Impact;
  switch (impact) {
    case Impact::security: return "\x1b[1;31m";
    case Impact::breaking: return "\x1b[31m";
    case Impact::behaviour: return "\x1b[33m";
    case Impact::resource: return "\x1b[36m";
    case Impact::legal: return "\x1b[35m";
    case Impact::unknown: return "\x1b[1m";
    case Impact::cosmetic: return "\x1b[2m";
  }
  return "";
}

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !continues(c); }));
}

std::string colored(advisories::Impact impact, bool color) {
  const std::string word(name(impact));
  return color ? std::string(color_of(impact)) + word + "\x1b[0m" : word;
}

std::string printable(std::string_view text, std::size_t width) {
  std::string out;
  std::size_t columns = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (!continues(c) && ++columns > width) {
      while (!out.empty() && continues(out.back())) out.pop_back();
      if (!out.empty()) out.pop_back();
      return out + "…";
    }
    if (byte == '\n' || byte == '\t' || byte == '\r') out += ' ';
    else if (byte < 0x20 || byte == 0x7f) out += '?';
    else out += c;
  }
  return out;
}

void Table::print(std::ostream& out, bool color) const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  for (const auto& row : rows_) {
    const bool is_head = &row == &rows_.front();
    if (color && is_head) out << "\x1b[1m";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto impact = color && !is_head ? advisories::impact_named(row[i]) : std::nullopt;
      out << (impact ? colored(*impact, true) : row[i]);
      if (i + 1 < row.size()) out << std::string(widths[i] - width_of(row[i]) + 2, ' ');
    }
    out << (color && is_head ? "\x1b[0m\n" : "\n");
  }
}

}  // namespace modelwatch::cli
