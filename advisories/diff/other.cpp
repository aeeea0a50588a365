#include "advisories/diff/file_findings.h"
#include "advisories/manifest/files.h"

namespace modelwatch::advisories {
namespace {

constexpr FileWords kWords{"other.file", "other file", Impact::behaviour, Impact::behaviour, Impact::behaviour, Impact::behaviour};

bool reads(std::string_view path) { return part_of(path) == Part::other; }

PartChange diff_other(const DiffInput& input) {
  PartChange change;
  for (const ChangedFile* file : input.changed_in(Part::other)) change.findings.push_back(file_finding(*file, kWords));
  return change;
}

std::optional<std::string> meaning(const Snapshot& snapshot) { return identities(snapshot, Part::other); }

}  // namespace

const PartDiffer kOtherDiffer{Part::other, reads, diff_other, meaning};

}  // namespace modelwatch::advisories
