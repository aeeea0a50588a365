#include "advisories/osv/touched_files.h"

#include <map>
#include <set>

#include "advisories/manifest/digest.h"
#include "advisories/manifest/files.h"

namespace modelwatch::advisories {
namespace {

/// sha256 of the content: as the Hub says it of LFS files, else from the bytes where all of them are at hand.
std::string content_sha256(const Snapshot& snapshot, const std::string& path) {
  const ListedFile* file = snapshot.listing.find(path);
  if (!file) return {};
  if (file->lfs) return file->lfs->sha256;
  if (!snapshot.contents) return {};
  const auto read = snapshot.contents->read(*file);
  const Bytes* bytes = std::get_if<Bytes>(&read);
  return bytes && *bytes && (*bytes)->size() == file->size ? sha256(**bytes) : std::string();
}

bool differs(const Snapshot& before, const Snapshot& after, const std::string& path) {
  const ListedFile *old_file = before.listing.find(path), *new_file = after.listing.find(path);
  return (old_file || new_file) && !(old_file && new_file && old_file->identity() == new_file->identity());
}

}  // namespace

TouchedFiles touched_files(const Change& change, const Snapshot& before, const Snapshot& after) {
  std::map<std::string, std::set<std::string>> paths;  // with the pointers that findings have into them
  for (const Finding& finding : change.findings)
    if (!finding.path.empty() && differs(before, after, finding.path))
      paths[finding.path].insert(finding.pointer.value_or(""));
  for (const Listing* listing : {&before.listing, &after.listing})
    for (const ListedFile& file : *listing)
      if (part_of(file.path) == change.part && differs(before, after, file.path)) paths[file.path];

  TouchedFiles touched;
  touched.total = paths.size();
  for (const auto& [path, pointers] : paths) {
    if (touched.files.size() == kMostFiles) break;
    TouchedFile file{path, std::nullopt, content_sha256(before, path), content_sha256(after, path)};
    if (part_of(path) != change.part && pointers.size() == 1 && !pointers.begin()->empty()) file.pointer = *pointers.begin();
    touched.files.push_back(std::move(file));
  }
  return touched;
}

}  // namespace modelwatch::advisories
