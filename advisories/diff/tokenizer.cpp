#include "advisories/diff/file_findings.h"
#include "advisories/diff/json_part.h"
#include "advisories/manifest/files.h"

namespace modelwatch::advisories {
namespace {

constexpr FileWords kWords{"tokenizer.file", "tokenizer file", Impact::behaviour, Impact::breaking, Impact::behaviour, Impact::breaking};

bool reads(std::string_view path) { return part_of(path) == Part::tokenizer; }

/// Files of settings, told key by key (dialect.h).
bool is_settings(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name == "tokenizer_config.json" || name == "special_tokens_map.json" || name == "added_tokens.json";
}

PartChange diff_tokenizer(const DiffInput& input) {
  PartChange change;
  for (const ChangedFile* file : input.changed_in(Part::tokenizer)) {
    if (is_settings(file->path())) diff_json_file(input, *file, change);
    else change.findings.push_back(file_finding(*file, kWords));
  }
  return change;
}

std::optional<std::string> meaning(const Snapshot& snapshot) {
  std::string text;
  for (const ListedFile& file : snapshot.listing) {
    if (!reads(file.path)) continue;
    text.append(file.path).append(" ");
    text.append(is_settings(file.path) ? json_meaning(snapshot, file) : std::string(file.identity())).append("\n");
  }
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

}  // namespace

const PartDiffer kTokenizerDiffer{Part::tokenizer, reads, diff_tokenizer, meaning};

}  // namespace modelwatch::advisories
