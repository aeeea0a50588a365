#include "advisories/diff/file_findings.h"
#include "advisories/manifest/files.h"

namespace modelwatch::advisories {
namespace {

constexpr FileWords kWords{"card.file", "card file", Impact::behaviour, Impact::behaviour, Impact::behaviour, Impact::behaviour};

bool reads(std::string_view path) { return part_of(path) == Part::card; }

PartChange diff_card(const DiffInput& input) {
  PartChange change;
  for (const ChangedFile* file : input.changed_in(Part::card)) change.findings.push_back(file_finding(*file, kWords));
  return change;
}

std::optional<std::string> meaning(const Snapshot& snapshot) { return identities(snapshot, Part::card); }

}  // namespace

const PartDiffer kCardDiffer{Part::card, reads, diff_card, meaning};

}  // namespace modelwatch::advisories
