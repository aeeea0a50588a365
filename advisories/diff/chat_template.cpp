#include "advisories/diff/file_findings.h"
#include "advisories/manifest/files.h"

namespace modelwatch::advisories {
namespace {

constexpr FileWords kWords{"chat_template.file", "chat template", Impact::behaviour, Impact::behaviour, Impact::behaviour, Impact::breaking};

bool reads(std::string_view path) { return part_of(path) == Part::chat_template; }

PartChange diff_chat_template(const DiffInput& input) {
  PartChange change;
  for (const ChangedFile* file : input.changed_in(Part::chat_template)) change.findings.push_back(file_finding(*file, kWords));
  return change;
}

std::optional<std::string> meaning(const Snapshot& snapshot) { return identities(snapshot, Part::chat_template); }

}  // namespace

const PartDiffer kChatTemplateDiffer{Part::chat_template, reads, diff_chat_template, meaning};

}  // namespace modelwatch::advisories
