#include "advisories/diff/dialect.h"
#include "advisories/diff/file_findings.h"
#include "advisories/diff/json_part.h"
#include "advisories/manifest/files.h"

namespace modelwatch::advisories {
namespace {

bool reads(std::string_view path) { return part_of(path) == Part::other; }

/// Settings of single engines ("mlc-chat-config.json") are told key by key.
bool is_settings(std::string_view path) { return dialect_of(path, nullptr) != nullptr; }

Finding unread_file(const ChangedFile& file) {
  static constexpr FileWords words{"other.file", "file", Impact::cosmetic, Impact::cosmetic, Impact::cosmetic, Impact::cosmetic};
  Finding finding = file_finding(file, words);
  finding.meaning += ": no loader that is known here reads it";
  return finding;
}

PartChange diff_other(const DiffInput& input) {
  PartChange change;
  for (const ChangedFile* file : input.changed_in(Part::other)) {
    if (is_settings(file->path())) diff_json_file(input, *file, change);
    else change.findings.push_back(unread_file(*file));
  }
  return change;
}

/// What nobody reads is no part of the state: it may change without the part becoming another one.
std::optional<std::string> meaning(const Snapshot& snapshot) {
  std::string text;
  bool present = false;
  for (const ListedFile& file : snapshot.listing) {
    if (!reads(file.path)) continue;
    present = true;
    if (is_settings(file.path)) text.append(file.path).append(" ").append(json_meaning(snapshot, file)).append("\n");
  }
  return present ? std::optional(std::move(text)) : std::nullopt;
}

}  // namespace

const PartDiffer kOtherDiffer{Part::other, reads, diff_other, meaning};

}  // namespace modelwatch::advisories
