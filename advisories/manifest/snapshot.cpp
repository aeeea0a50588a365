#include "advisories/manifest/snapshot.h"

#include <algorithm>

namespace modelwatch::advisories {

Listing::Listing(std::vector<ListedFile> files) : files_(std::move(files)) {
  std::sort(files_.begin(), files_.end(), [](const ListedFile& a, const ListedFile& b) { return a.path < b.path; });
}

const ListedFile* Listing::find(std::string_view path) const {
  const auto at = std::lower_bound(files_.begin(), files_.end(), path,
                                   [](const ListedFile& file, std::string_view p) { return file.path < p; });
  return at != files_.end() && at->path == path ? &*at : nullptr;
}

}  // namespace modelwatch::advisories
