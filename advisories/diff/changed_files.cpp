#include "advisories/diff/changed_files.h"

#include <algorithm>
#include <map>

#include "advisories/manifest/files.h"

namespace modelwatch::advisories {
namespace {

/// Removed and added files with the same bytes, by part and identity.
struct Twins {
  std::vector<const ListedFile*> removed, added;
};

}  // namespace

std::vector<ChangedFile> changed_files(const Listing& before, const Listing& after) {
  std::vector<ChangedFile> changed;
  std::map<std::pair<Part, std::string_view>, Twins> lonely;
  for (const ListedFile& file : before) {
    const ListedFile* now = after.find(file.path);
    const Part part = part_of(file.path);
    if (!now) lonely[{part, file.identity()}].removed.push_back(&file);
    else if (now->identity() != file.identity()) changed.push_back({part, &file, now});
  }
  for (const ListedFile& file : after)
    if (!before.find(file.path)) lonely[{part_of(file.path), file.identity()}].added.push_back(&file);
  for (const auto& [key, twins] : lonely) {
    // Empty files are all alike: nothing can be said to have moved.
    const bool moved = twins.removed.size() == 1 && twins.added.size() == 1 && twins.added.front()->size > 0;
    if (moved) {
      changed.push_back({key.first, twins.removed.front(), twins.added.front()});
      continue;
    }
    for (const ListedFile* file : twins.removed) changed.push_back({key.first, file, nullptr});
    for (const ListedFile* file : twins.added) changed.push_back({key.first, nullptr, file});
  }
  std::sort(changed.begin(), changed.end(), [](const ChangedFile& a, const ChangedFile& b) { return a.path() < b.path(); });
  return changed;
}

}  // namespace modelwatch::advisories
