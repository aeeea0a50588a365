#include "advisories/diff/json_part.h"

#include <algorithm>

#include "advisories/diff/dialect.h"
#include "advisories/diff/json_edits.h"
#include "advisories/diff/json_file_findings.h"
#include "advisories/manifest/files.h"
#include "estimator/json/writer.h"

namespace modelwatch::advisories {
namespace {

/// Members whose rule never rises above cosmetic are no part of the meaning.
json::Value without_bookkeeping(const Dialect& dialect, const json::Value& value, const std::string& pointer) {
  const json::Object* object = value.object();
  if (!object) return value;
  json::Object kept;
  for (const auto& [key, member] : *object) {
    const std::string here = json::child_pointer(pointer, key);
    const KeyRule* rule = dialect.rules().find(rule_key(dialect, here));
    if (rule && rule->grades.replaced == Impact::cosmetic) continue;
    kept.append(key, without_bookkeeping(dialect, member, here));
  }
  return kept;
}

void note_unreadable(const JsonFile& file, const std::string& path, std::string_view side, PartChange& change) {
  if (const std::string trouble = file.trouble(); !trouble.empty()) change.unreadable.push_back({path, std::string(side), trouble});
}

}  // namespace

void diff_json_file(const DiffInput& input, const ChangedFile& file, PartChange& change) {
  const std::string& path = file.path();
  if (file.moved()) {
    change.findings.push_back(moved_json_file(file));
    return;
  }
  const JsonFile& before = input.documents_before.at(path);
  const JsonFile& after = input.documents_after.at(path);
  note_unreadable(before, path, "before", change);
  note_unreadable(after, path, "after", change);
  const Dialect* dialect = dialect_of(path, after.value() ? after.value() : before.value());
  if (!dialect) {
    change.findings.push_back(unread_json_file(file));
    return;
  }
  if (before.state == JsonFile::State::not_read || after.state == JsonFile::State::not_read) {
    change.findings.push_back(json_file_not_at_hand(file, before, after));
    return;
  }
  const std::size_t first = change.findings.size();
  if (!file.before || !file.after) {
    change.findings.push_back(whole_json_file(input, file, *dialect, before, after));
  } else {
    judge_edits({input, path, *dialect, *before.value(), *after.value()}, change.findings);
  }
  add_syntax_findings(file, before, after, change.findings);
  if (change.findings.size() == first) change.findings.push_back(respelled_json_file(file, before, after));
}

PartChange diff_json_part(const DiffInput& input, Part part) {
  PartChange change;
  for (const ChangedFile* file : input.changed_in(part)) diff_json_file(input, *file, change);
  return change;
}

std::string json_meaning(const Snapshot& snapshot, const ListedFile& file) {
  const JsonFile read = read_json(snapshot, file.path);
  const Dialect* dialect = dialect_of(file.path, read.value());
  if (read.state != JsonFile::State::parsed || !dialect) return std::string(file.identity());
  const json::Value normal = dialect->normal(read.document.value).value;
  return json::write(without_bookkeeping(*dialect, normal, ""), json::Style::canonical);
}

std::optional<std::string> json_part_meaning(const Snapshot& snapshot, Part part) {
  std::string text;
  for (const ListedFile& file : snapshot.listing)
    if (part_of(file.path) == part) text.append(file.path).append(" ").append(json_meaning(snapshot, file)).append("\n");
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

}  // namespace modelwatch::advisories
