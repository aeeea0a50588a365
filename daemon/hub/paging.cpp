#include "daemon/hub/paging.h"

#include <charconv>
#include <string_view>

namespace modelwatch::hub {

namespace {

bool says_next(std::string_view parameters) {
  const auto rel = parameters.find("rel=");
  if (rel == std::string_view::npos) return false;
  std::string_view value = parameters.substr(rel + 4);
  value = value.substr(0, value.find_first_of(";,"));
  while (!value.empty() && (value.front() == '"' || value.front() == ' ')) value.remove_prefix(1);
  while (!value.empty() && (value.back() == '"' || value.back() == ' ')) value.remove_suffix(1);
  return value == "next";
}

}  // namespace

std::optional<std::string> next_page(const Response& response) {
  for (const auto& [name, value] : response.headers) {
    if (name != "link") continue;
    std::string_view rest = value;
    for (auto open = rest.find('<'); open != std::string_view::npos; open = rest.find('<')) {
      const auto close = rest.find('>', open);
      if (close == std::string_view::npos) break;
      const std::string_view reference = rest.substr(open + 1, close - open - 1);
      rest.remove_prefix(close + 1);
      if (says_next(rest.substr(0, rest.find('<')))) return std::string(reference);
    }
  }
  return {};
}

std::optional<std::uint64_t> total_count(const Response& response) {
  const std::string* text = response.header("x-total-count");
  std::uint64_t count = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), count).ec != std::errc()) return {};
  return count;
}

}  // namespace modelwatch::hub
