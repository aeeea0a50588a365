#include <map>

#include "advisories/diff/json_part.h"
#include "advisories/diff/normal_form.h"
#include "advisories/diff/file_findings.h"
#include "advisories/diff/tokenizer_findings.h"
#include "advisories/manifest/digest.h"
#include "advisories/manifest/files.h"
#include "advisories/manifest/vocabulary_files.h"

namespace modelwatch::advisories {
namespace {

constexpr FileWords kMoved{"tokenizer.file", "tokenizer file", Impact::behaviour, Impact::breaking, Impact::breaking, Impact::breaking};

bool reads(std::string_view path) { return part_of(path) == Part::tokenizer; }

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Files of settings, told key by key (dialect.h).
bool is_settings(std::string_view path) {
  const std::string_view name = base_name(path);
  return name == "tokenizer_config.json" || name == "special_tokens_map.json" || name == "added_tokens.json";
}

PartChange diff_tokenizer(const DiffInput& input) {
  PartChange change;
  std::map<std::string, TokenizerPair> folders;
  for (const ChangedFile* file : input.changed_in(Part::tokenizer)) {
    const std::string folder = file->path().substr(0, file->path().rfind('/') + 1);
    const bool fast = base_name(file->path()) == "tokenizer.json";
    if (is_settings(file->path())) diff_json_file(input, *file, change);
    else if (file->moved()) change.findings.push_back(file_finding(*file, kMoved));
    else if (fast) folders[folder] = diff_tokenizer_file(input, *file, change);
    else diff_slow_file(input, *file, change);
    if (is_settings(file->path()) || fast) folders[folder];
  }
  for (const auto& [folder, tokenizers] : folders) diff_special_tokens(input, folder, tokenizers, change);
  return change;
}

/// The digest of what a file means, its identity where that is not known.
std::string file_meaning(const Snapshot& snapshot, const ListedFile& file) {
  if (is_settings(file.path)) return json_meaning(snapshot, file);
  const bool fast = base_name(file.path) == "tokenizer.json";
  if (!fast && vocabulary_file_kind(file.path) == VocabularyFile::Kind::unknown) return std::string(file.identity());
  const auto bytes = snapshot.contents->read(file);
  if (std::holds_alternative<NotRead>(bytes)) return std::string(file.identity());
  if (fast) {
    const TokenizerFile read = read_tokenizer_file(std::get<Bytes>(bytes));
    return read.trouble.empty() ? digest(read, normal_tokenizer_file(read.rest).value) : std::string(file.identity());
  }
  const VocabularyFile read = read_vocabulary_file(file.path, std::get<Bytes>(bytes));
  return read.trouble.empty() ? read.tokens.digest() + " " + read.merges.digest() + " " + sha256(read.settings) : std::string(file.identity());
}

std::optional<std::string> meaning(const Snapshot& snapshot) {
  std::string text;
  for (const ListedFile& file : snapshot.listing)
    if (reads(file.path)) text.append(file.path).append(" ").append(file_meaning(snapshot, file)).append("\n");
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

}  // namespace

const PartDiffer kTokenizerDiffer{Part::tokenizer, reads, diff_tokenizer, meaning};

}  // namespace modelwatch::advisories
