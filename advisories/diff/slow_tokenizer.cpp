#include "advisories/manifest/vocabulary_files.h"

#include "advisories/diff/file_findings.h"
#include "advisories/diff/tokenizer_findings.h"

namespace modelwatch::advisories {
namespace {

using Kind = VocabularyFile::Kind;

constexpr FileWords kWords{"tokenizer.file", "tokenizer file", Impact::behaviour, Impact::breaking, Impact::breaking, Impact::breaking};

struct Side {
  VocabularyFile file;
  std::string not_read;
};

Side read(const Snapshot& snapshot, const ListedFile& listed) {
  Side side;
  const auto bytes = snapshot.contents->read(listed);
  if (const auto* why = std::get_if<NotRead>(&bytes)) side.not_read = why->reason;
  else side.file = read_vocabulary_file(listed.path, std::get<Bytes>(bytes));
  return side;
}

Finding about(const ChangedFile& file, std::string_view rule, Impact impact, std::string meaning) {
  Finding finding;
  finding.rule = "tokenizer.file." + std::string(rule);
  finding.impact = impact;
  finding.path = file.path();
  finding.meaning = std::move(meaning);
  return finding;
}

void compare_contents(const DiffInput& input, const ChangedFile& file, const VocabularyFile& before, const VocabularyFile& after, PartChange& change) {
  const std::size_t first = change.findings.size();
  if (before.trouble.empty() != after.trouble.empty()) {
    const bool broke = !after.trouble.empty();
    change.findings.push_back(about(file, broke ? "unparsable" : "parses_again", Impact::breaking,
                                    file.path() + (broke ? " cannot be read any more (" + after.trouble + "): loaders fail on it" : " could not be read (" + before.trouble + ") and can again")));
    return;
  }
  if (!after.trouble.empty()) {
    change.findings.push_back(about(file, "changed", Impact::unknown, file.path() + " changed, but is not understood: " + after.trouble));
    return;
  }
  if (auto finding = vocabulary_finding(input, file, std::nullopt, compare(before.tokens, after.tokens))) change.findings.push_back(std::move(*finding));
  if (auto finding = merges_finding(file, std::nullopt, compare(before.merges, after.merges), true)) change.findings.push_back(std::move(*finding));
  if (before.settings != after.settings)
    change.findings.push_back(about(file, "settings", Impact::breaking, file.path() + ": normaliser, kind of model or types of pieces changed: text is split differently"));
  if (change.findings.size() == first)
    change.findings.push_back(about(file, "respelled", Impact::cosmetic, file.path() + " was written anew with the same tokens"));
}

}  // namespace

void diff_slow_file(const DiffInput& input, const ChangedFile& file, PartChange& change) {
  if (!file.before || !file.after || file.moved() || vocabulary_file_kind(file.path()) == Kind::unknown) {
    change.findings.push_back(file_finding(file, kWords));
    return;
  }
  const Side before = read(input.before, *file.before), after = read(input.after, *file.after);
  for (const auto& [name, side] : {std::pair("before", &before), std::pair("after", &after)}) {
    if (!side->not_read.empty()) change.unreadable.push_back({file.path(), name, "not read: " + side->not_read});
    if (!side->file.trouble.empty()) change.unreadable.push_back({file.path(), name, side->file.trouble});
  }
  if (before.not_read.empty() && after.not_read.empty()) compare_contents(input, file, before.file, after.file, change);
  else change.findings.push_back(about(file, "not_read", Impact::unknown, file.path() + " changed, but could not be compared: " + (after.not_read.empty() ? before.not_read : after.not_read)));
}

}  // namespace modelwatch::advisories
