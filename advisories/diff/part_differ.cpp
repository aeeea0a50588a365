#include "advisories/diff/part_differ.h"

#include <algorithm>

#include "advisories/manifest/files.h"

namespace modelwatch::advisories {

const JsonFile& Documents::at(std::string_view path) {
  const auto found = files_.find(path);
  if (found != files_.end()) return found->second;
  return files_.emplace(std::string(path), read_json(snapshot_, path)).first->second;
}

std::vector<const ChangedFile*> DiffInput::changed_in(Part part) const {
  std::vector<const ChangedFile*> files;
  for (const ChangedFile& file : changed)
    if (file.part == part) files.push_back(&file);
  return files;
}

std::optional<std::string> identities(const Snapshot& snapshot, Part part) {
  std::string text;
  for (const ListedFile& file : snapshot.listing)
    if (part_of(file.path) == part) text.append(file.path).append(" ").append(file.identity()).append("\n");
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

std::string change_kind(const Snapshot& before, const Snapshot& after, Part part) {
  const auto present = [part](const Snapshot& snapshot) {
    return std::any_of(snapshot.listing.begin(), snapshot.listing.end(),
                       [part](const ListedFile& file) { return part_of(file.path) == part; });
  };
  if (!present(before)) return "added";
  return present(after) ? "modified" : "removed";
}

}  // namespace modelwatch::advisories
