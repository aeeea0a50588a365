#include "advisories/diff/file_findings.h"
#include "advisories/manifest/files.h"

namespace modelwatch::advisories {
namespace {

constexpr FileWords kWords{"processor.file", "processor file", Impact::behaviour, Impact::behaviour, Impact::behaviour, Impact::behaviour};

bool reads(std::string_view path) { return part_of(path) == Part::processor; }

PartChange diff_processor(const DiffInput& input) {
  PartChange change;
  for (const ChangedFile* file : input.changed_in(Part::processor)) change.findings.push_back(file_finding(*file, kWords));
  return change;
}

std::optional<std::string> meaning(const Snapshot& snapshot) { return identities(snapshot, Part::processor); }

}  // namespace

const PartDiffer kProcessorDiffer{Part::processor, reads, diff_processor, meaning};

}  // namespace modelwatch::advisories
