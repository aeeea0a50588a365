#pragma once
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "advisories/diff/diff.h"
#include "advisories/manifest/json_file.h"

namespace modelwatch::advisories {

/// A file whose bytes, presence or place differ between two revisions.
struct ChangedFile {
  Part part = Part::other;
  const ListedFile* before = nullptr;  ///< null where it was added
  const ListedFile* after = nullptr;   ///< null where it was removed

  const std::string& path() const { return after ? after->path : before->path; }
  /// The same bytes under another path (of the same part): both sides are set, their paths differ.
  bool moved() const { return before && after && before->path != after->path; }
};

/// Parsed JSON of one revision, each file read once whoever asks.
class Documents {
 public:
  explicit Documents(const Snapshot& snapshot) : snapshot_(snapshot) {}
  const JsonFile& at(std::string_view path);

 private:
  const Snapshot& snapshot_;
  std::map<std::string, JsonFile, std::less<>> files_;
};

/// Both revisions, and what differs between their listings.
struct DiffInput {
  const Snapshot& before;
  const Snapshot& after;
  std::span<const ChangedFile> changed;  ///< of all parts, by path
  Documents& documents_before;
  Documents& documents_after;

  std::vector<const ChangedFile*> changed_in(Part part) const;
};

/// What one part's differ answers; no findings = nothing changed. `kind` and `summary` may be left empty: they are then
/// told from the listings and from the gravest finding.
struct PartChange {
  std::vector<Finding> findings;
  std::vector<Unreadable> unreadable;
  std::string kind;
  std::string summary;
};

/// How a part plugs into diff() and states(); the table is in diff.cpp.
struct PartDiffer {
  Part part;
  /// The files whose bytes can change this part.
  bool (*reads)(std::string_view path);
  PartChange (*diff)(const DiffInput& input);
  /// Text that is equal exactly where the part means the same; none where the part is absent. Called for present and
  /// unreadable parts alike: for what cannot be read, put the file's identity in (`identities`).
  std::optional<std::string> (*meaning)(const Snapshot& snapshot);
};

extern const PartDiffer kConfigDiffer, kGenerationDiffer, kTokenizerDiffer, kChatTemplateDiffer, kWeightsDiffer, kCodeDiffer,
    kProcessorDiffer, kAdapterDiffer, kCardDiffer, kLicenseDiffer, kOtherDiffer;

/// "path identity\n" of every file of a part.
std::optional<std::string> identities(const Snapshot& snapshot, Part part);

/// "added", "removed" or "modified": whether files of the part are there before and after.
std::string change_kind(const Snapshot& before, const Snapshot& after, Part part);

}  // namespace modelwatch::advisories
