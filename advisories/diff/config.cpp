#include "advisories/diff/file_findings.h"
#include "advisories/manifest/files.h"

namespace modelwatch::advisories {
namespace {

constexpr FileWords kWords{"config.file", "config file", Impact::behaviour, Impact::behaviour, Impact::behaviour, Impact::behaviour};

bool reads(std::string_view path) { return part_of(path) == Part::config; }

PartChange diff_config(const DiffInput& input) {
  PartChange change;
  for (const ChangedFile* file : input.changed_in(Part::config)) change.findings.push_back(file_finding(*file, kWords));
  return change;
}

std::optional<std::string> meaning(const Snapshot& snapshot) { return identities(snapshot, Part::config); }

}  // namespace

const PartDiffer kConfigDiffer{Part::config, reads, diff_config, meaning};

}  // namespace modelwatch::advisories
