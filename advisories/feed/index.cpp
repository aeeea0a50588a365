#include "advisories/feed/index.h"

#include <algorithm>

namespace modelwatch::advisories {

void sort_as_feed(std::vector<FeedEntry>& entries) {
  std::sort(entries.begin(), entries.end(), [](const FeedEntry& a, const FeedEntry& b) {
    return a.modified != b.modified ? a.modified > b.modified : a.id < b.id;
  });
}

std::string modified_id_csv(const std::vector<FeedEntry>& entries, std::string_view directory) {
  std::string text;
  for (const FeedEntry& entry : entries) {
    text.append(rfc3339(entry.modified)).append(",");
    if (!directory.empty()) text.append(directory).append("/");
    text.append(entry.id).append("\n");
  }
  return text;
}

std::optional<std::vector<FeedEntry>> parse_modified_id_csv(std::string_view text, std::string_view directory) {
  std::vector<FeedEntry> entries;
  const std::string prefix = directory.empty() ? "" : std::string(directory) + "/";
  while (!text.empty()) {
    const auto end = text.find('\n'), comma = text.find(',');
    if (end == text.npos || comma >= end) return std::nullopt;
    const auto modified = parse_rfc3339(text.substr(0, comma));
    const std::string_view name = text.substr(comma + 1, end - comma - 1);
    if (!modified || !name.starts_with(prefix) || name.size() == prefix.size()) return std::nullopt;
    entries.push_back({std::string(name.substr(prefix.size())), *modified});
    text.remove_prefix(end + 1);
  }
  return entries;
}

std::string rest_list(const std::vector<FeedEntry>& entries) {
  std::string text = "[";
  for (const FeedEntry& entry : entries) {
    if (text.size() > 1) text += ",\n";
    text.append("{\"id\":\"").append(entry.id).append("\",\"modified\":\"").append(rfc3339(entry.modified)).append("\"}");
  }
  return text + "]\n";
}

}  // namespace modelwatch::advisories
