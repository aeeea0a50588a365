#include "advisories/diff/file_findings.h"
#include "advisories/manifest/files.h"

namespace modelwatch::advisories {
namespace {

constexpr FileWords kWords{"license.file", "license file", Impact::behaviour, Impact::behaviour, Impact::behaviour, Impact::behaviour};

bool reads(std::string_view path) { return part_of(path) == Part::license; }

PartChange diff_license(const DiffInput& input) {
  PartChange change;
  for (const ChangedFile* file : input.changed_in(Part::license)) change.findings.push_back(file_finding(*file, kWords));
  return change;
}

std::optional<std::string> meaning(const Snapshot& snapshot) { return identities(snapshot, Part::license); }

}  // namespace

const PartDiffer kLicenseDiffer{Part::license, reads, diff_license, meaning};

}  // namespace modelwatch::advisories
