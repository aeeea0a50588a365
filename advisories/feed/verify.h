#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "estimator/error.h"

namespace modelwatch::advisories {

struct TreeVerdict {
  std::size_t records = 0;
  std::size_t broken = 0;             ///< how many things are wrong
  std::vector<std::string> problems;  ///< "GIT/<file>: what is wrong", the first thousand of them
};

/// Re-checks a tree that write_feed_tree wrote, whoever copied it since: each record by the format's rules (validate),
/// its name and `modified` against the lists, the lists' order and each other, both archives entry by entry against the
/// files. not_found where the folder is no such tree.
Result<TreeVerdict> verify_feed_tree(const std::filesystem::path& folder, std::string_view prefix);

}  // namespace modelwatch::advisories
