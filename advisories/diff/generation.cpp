#include "advisories/diff/file_findings.h"
#include "advisories/manifest/files.h"

namespace modelwatch::advisories {
namespace {

constexpr FileWords kWords{"generation.file", "generation file", Impact::behaviour, Impact::behaviour, Impact::behaviour, Impact::behaviour};

bool reads(std::string_view path) { return part_of(path) == Part::generation; }

PartChange diff_generation(const DiffInput& input) {
  PartChange change;
  for (const ChangedFile* file : input.changed_in(Part::generation)) change.findings.push_back(file_finding(*file, kWords));
  return change;
}

std::optional<std::string> meaning(const Snapshot& snapshot) { return identities(snapshot, Part::generation); }

}  // namespace

const PartDiffer kGenerationDiffer{Part::generation, reads, diff_generation, meaning};

}  // namespace modelwatch::advisories
