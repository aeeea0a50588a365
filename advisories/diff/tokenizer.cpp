#include "advisories/diff/file_findings.h"
#include "advisories/manifest/files.h"

namespace modelwatch::advisories {
namespace {

constexpr FileWords kWords{"tokenizer.file", "tokenizer file", Impact::behaviour, Impact::breaking, Impact::behaviour, Impact::breaking};

bool reads(std::string_view path) { return part_of(path) == Part::tokenizer; }

PartChange diff_tokenizer(const DiffInput& input) {
  PartChange change;
  for (const ChangedFile* file : input.changed_in(Part::tokenizer)) change.findings.push_back(file_finding(*file, kWords));
  return change;
}

std::optional<std::string> meaning(const Snapshot& snapshot) { return identities(snapshot, Part::tokenizer); }

}  // namespace

const PartDiffer kTokenizerDiffer{Part::tokenizer, reads, diff_tokenizer, meaning};

}  // namespace modelwatch::advisories
