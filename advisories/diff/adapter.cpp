#include "advisories/diff/file_findings.h"
#include "advisories/manifest/files.h"

namespace modelwatch::advisories {
namespace {

constexpr FileWords kWords{"adapter.file", "adapter file", Impact::behaviour, Impact::behaviour, Impact::behaviour, Impact::behaviour};

bool reads(std::string_view path) { return part_of(path) == Part::adapter; }

PartChange diff_adapter(const DiffInput& input) {
  PartChange change;
  for (const ChangedFile* file : input.changed_in(Part::adapter)) change.findings.push_back(file_finding(*file, kWords));
  return change;
}

std::optional<std::string> meaning(const Snapshot& snapshot) { return identities(snapshot, Part::adapter); }

}  // namespace

const PartDiffer kAdapterDiffer{Part::adapter, reads, diff_adapter, meaning};

}  // namespace modelwatch::advisories
