#include "advisories/diff/file_findings.h"
#include "advisories/manifest/files.h"

namespace modelwatch::advisories {
namespace {

constexpr FileWords kWords{"code.file", "code file", Impact::behaviour, Impact::behaviour, Impact::behaviour, Impact::behaviour};

bool reads(std::string_view path) { return part_of(path) == Part::code; }

PartChange diff_code(const DiffInput& input) {
  PartChange change;
  for (const ChangedFile* file : input.changed_in(Part::code)) change.findings.push_back(file_finding(*file, kWords));
  return change;
}

std::optional<std::string> meaning(const Snapshot& snapshot) { return identities(snapshot, Part::code); }

}  // namespace

const PartDiffer kCodeDiffer{Part::code, reads, diff_code, meaning};

}  // namespace modelwatch::advisories
