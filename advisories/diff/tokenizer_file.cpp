#include "advisories/manifest/tokenizer_file.h"

#include <unordered_map>

#include "advisories/diff/file_findings.h"
#include "advisories/diff/json_edits.h"
#include "advisories/diff/tokenizer_findings.h"

namespace modelwatch::advisories {
namespace {

struct Side {
  std::optional<TokenizerFile> file;
  std::string not_read;
};

Side read(const Snapshot& snapshot, const ListedFile* listed) {
  Side side;
  if (!listed) return side;
  const auto bytes = snapshot.contents->read(*listed);
  if (const auto* why = std::get_if<NotRead>(&bytes)) side.not_read = why->reason;
  else side.file = read_tokenizer_file(std::get<Bytes>(bytes));
  return side;
}

Finding about(const ChangedFile& file, std::string_view rule, Impact impact, std::optional<std::string> pointer, std::string meaning) {
  Finding finding;
  finding.rule = "tokenizer.file." + std::string(rule);
  finding.impact = impact;
  finding.path = file.path();
  finding.pointer = std::move(pointer);
  finding.meaning = std::move(meaning);
  return finding;
}

Finding whole_file(const ChangedFile& file, const Side& side) {
  const bool added = !file.before;
  Finding finding = about(file, added ? "added" : "removed", added ? Impact::behaviour : Impact::breaking, "",
                          std::string("fast tokenizer ") + file.path() + (added ? " added: AutoTokenizer takes it from now on"
                                                                                : " removed: AutoTokenizer has to build the tokenizer from slower files, or fails"));
  if (side.file) {
    finding.evidence.append("model", side.file->model_type());
    finding.evidence.append("tokens", side.file->vocabulary.size());
    finding.evidence.append("added_tokens", side.file->added.size());
  }
  return finding;
}

void add_syntax(const ChangedFile& file, const TokenizerFile& before, const TokenizerFile& after, PartChange& change) {
  if (!before.trouble.empty()) change.unreadable.push_back({file.path(), "before", before.trouble});
  if (!after.trouble.empty()) change.unreadable.push_back({file.path(), "after", after.trouble});
  if (before.trouble.empty() == after.trouble.empty()) return;
  const bool broke = !after.trouble.empty();
  change.findings.push_back(about(file, broke ? "unparsable" : "parses_again", Impact::breaking, "",
                                  file.path() + (broke ? " cannot be read any more (" + after.trouble + "): loaders fail on it; other findings are from what could be read"
                                                       : " could not be read (" + before.trouble + ") and can again: loaders failed on it before")));
}

/// Tokens by content of a list of added tokens.
std::unordered_map<std::string_view, std::uint32_t> ids(const std::vector<AddedToken>& tokens) {
  std::unordered_map<std::string_view, std::uint32_t> map;
  for (const AddedToken& token : tokens) map[token.content] = token.id;
  return map;
}

void compare_vocabularies(const DiffInput& input, const ChangedFile& file, const TokenizerFile& before, const TokenizerFile& after, PartChange& change) {
  const auto added_before = ids(before.added), added_after = ids(after.added);
  const VocabularyChanges tokens = compare(before.vocabulary, after.vocabulary, [&](std::string_view token, std::uint32_t id, bool is_after) {
    const auto& added = is_after ? added_after : added_before;
    const auto found = added.find(token);
    return found != added.end() && found->second == id;
  });
  if (auto finding = vocabulary_finding(input, file, "/model/vocab", tokens)) change.findings.push_back(std::move(*finding));
  if (auto finding = merges_finding(file, "/model/merges", compare(before.merges, after.merges), tokens.added.count > 0))
    change.findings.push_back(std::move(*finding));
  if (before.merges.empty() || after.merges.empty() || before.merges_as_pairs == after.merges_as_pairs) return;
  change.findings.push_back(after.merges_as_pairs
                                ? about(file, "merges_as_pairs", Impact::behaviour, std::nullopt,
                                        "merges are written as pairs: the same merges, but tokenizers before 0.20 (transformers before 4.45) refuses the file")
                                : about(file, "merges_as_text", Impact::cosmetic, std::nullopt, "merges are written as text again: the same merges, also for old versions"));
}

}  // namespace

TokenizerPair diff_tokenizer_file(const DiffInput& input, const ChangedFile& file, PartChange& change) {
  Side before = read(input.before, file.before), after = read(input.after, file.after);
  for (const auto& [name, side] : {std::pair("before", &before), std::pair("after", &after)})
    if (!side->not_read.empty()) change.unreadable.push_back({file.path(), name, "not read: " + side->not_read});
  if (!file.before || !file.after) {
    change.findings.push_back(whole_file(file, file.before ? before : after));
    if (const Side& side = file.before ? before : after; side.file && !side.file->trouble.empty()) {
      change.unreadable.push_back({file.path(), file.before ? "before" : "after", side.file->trouble});
      if (file.after) change.findings.push_back(about(file, "unparsable", Impact::breaking, std::nullopt, file.path() + " cannot be read (" + side.file->trouble + "): loaders fail on it"));
    }
    return {std::move(before.file), std::move(after.file)};
  }
  if (!before.file || !after.file) {
    change.findings.push_back(about(file, "not_read", Impact::unknown, "", file.path() + " changed, but could not be compared: " + (after.file ? before.not_read : after.not_read)));
    return {std::move(before.file), std::move(after.file)};
  }
  const std::size_t first = change.findings.size();
  add_syntax(file, *before.file, *after.file, change);
  // What follows the fault was not read: that it is missing means nothing.
  if (before.file->trouble.empty() && after.file->trouble.empty()) {
    judge_edits({input, file.path(), *dialect_of(file.path(), nullptr), before.file->rest, after.file->rest}, change.findings);
    if (auto finding = added_tokens_finding(input, file, *before.file, *after.file)) change.findings.push_back(std::move(*finding));
    compare_vocabularies(input, file, *before.file, *after.file, change);
  }
  if (change.findings.size() == first)
    change.findings.push_back(about(file, "respelled", Impact::cosmetic, std::nullopt, file.path() + " was written anew with the same content: order, spacing or escapes"));
  return {std::move(before.file), std::move(after.file)};
}

}  // namespace modelwatch::advisories
