#include "advisories/diff/file_findings.h"
#include "advisories/manifest/files.h"

namespace modelwatch::advisories {
namespace {

constexpr FileWords kWords{"weights.file", "weights", Impact::behaviour, Impact::breaking, Impact::behaviour, Impact::breaking};

bool reads(std::string_view path) { return part_of(path) == Part::weights; }

PartChange diff_weights(const DiffInput& input) {
  PartChange change;
  for (const ChangedFile* file : input.changed_in(Part::weights)) change.findings.push_back(file_finding(*file, kWords));
  return change;
}

std::optional<std::string> meaning(const Snapshot& snapshot) { return identities(snapshot, Part::weights); }

}  // namespace

const PartDiffer kWeightsDiffer{Part::weights, reads, diff_weights, meaning};

}  // namespace modelwatch::advisories
