#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advisories/timestamp.h"

namespace modelwatch::advisories {

/// A record in the feed's lists.
struct FeedEntry {
  std::string id;
  Time modified{};

  friend bool operator==(const FeedEntry&, const FeedEntry&) = default;
};

/// `modified` descending, then id ascending: the order of every list, so that readers stop at the first row they know.
void sort_as_feed(std::vector<FeedEntry>& entries);

/// modified_id.csv: "<modified>,<id>" a line, LF, no header; the one at the root has "<directory>/" before the id.
std::string modified_id_csv(const std::vector<FeedEntry>& entries, std::string_view directory = "");
/// Reads it back; empty where a line is not of that form.
std::optional<std::vector<FeedEntry>> parse_modified_id_csv(std::string_view text, std::string_view directory = "");

/// What an OSV REST source lists: [{"id":…,"modified":…},…], withdrawn ones too.
std::string rest_list(const std::vector<FeedEntry>& entries);

}  // namespace modelwatch::advisories
