#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "advisories/feed/index.h"
#include "estimator/error.h"

namespace modelwatch::advisories {

/// Every record of a feed from one consistent view, in the feed's order: `wanted` sees each; where it says yes, `visit`
/// gets the document before the next one comes.
using FeedRecords = std::function<Result<void>(const std::function<bool(std::string_view id, Time modified)>& wanted,
                                               const std::function<void(const FeedEntry& entry, std::string_view document)>& visit)>;

struct TreeReport {
  std::size_t records = 0;
  std::size_t written = 0;   ///< record files that were new or changed
  std::size_t removed = 0;   ///< of records that are no longer in the feed (a purged repository)
  bool unchanged = false;    ///< nothing was touched
};

/// Brings a folder to the bucket layout of osv.dev:
///
///   GIT/<id>.json  GIT/all.zip  GIT/modified_id.csv  all.zip  modified_id.csv  ecosystems.txt  list.json (REST source)
///
/// Only what changed is written. Each file is replaced whole (written beside, then renamed); records come first, then
/// the archives, then the lists, so that a reader finds everything a list names. A run that was cut off leaves `.part`
/// files and lists of before, and the next run completes it. One run at a time per folder.
Result<TreeReport> write_feed_tree(const std::filesystem::path& folder, const FeedRecords& records);

}  // namespace modelwatch::advisories
