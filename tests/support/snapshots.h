#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "advisories/manifest/digest.h"
#include "advisories/manifest/snapshot.h"

namespace modelwatch::testing {

using Files = std::map<std::string, std::string>;

/// The bytes of a revision in memory; a listed file without bytes was not fetched.
class MemoryContents : public advisories::Contents {
 public:
  explicit MemoryContents(Files files) : files_(std::move(files)) {}
  std::variant<advisories::Bytes, advisories::NotRead> read(const advisories::ListedFile& file) const override {
    const auto found = files_.find(file.path);
    if (found == files_.end()) return advisories::NotRead{"only in the listing"};
    return std::make_shared<const std::string>(found->second);
  }

 private:
  Files files_;
};

/// A revision of these files, and of files known by their listing alone.
inline advisories::Snapshot snapshot_of(const Files& files, std::vector<advisories::ListedFile> listed = {}) {
  for (const auto& [path, text] : files) listed.push_back({path, advisories::git_blob_oid(text), text.size(), {}});
  return {advisories::Listing(std::move(listed)), std::make_shared<MemoryContents>(files)};
}

}  // namespace modelwatch::testing
