#include <algorithm>

#include "advisories/diff/file_findings.h"
#include "advisories/manifest/digest.h"
#include "advisories/manifest/files.h"
#include "advisories/manifest/text_file.h"

namespace modelwatch::advisories {
namespace {

bool reads(std::string_view path) { return part_of(path) == Part::license; }

/// Which well-known licence a text is, by the words at its head; empty where none is recognised.
std::string_view recognised(std::string_view text) {
  struct Known {
    std::string_view words, name;
  };
  static constexpr Known known[] = {
      {"apache license", "Apache-2.0"},          {"mit license", "MIT"},                       {"attribution-noncommercial", "CC BY-NC"},
      {"llama 4 community", "Llama 4 Community"}, {"llama 3.3 community", "Llama 3.3 Community"}, {"llama 3.2 community", "Llama 3.2 Community"},
      {"llama 3.1 community", "Llama 3.1 Community"}, {"meta llama 3 community", "Llama 3 Community"}, {"llama 2 community", "Llama 2 Community"},
      {"gemma terms of use", "Gemma"},           {"responsible ai license", "OpenRAIL"},       {"openrail", "OpenRAIL"},
      {"tongyi qianwen", "Tongyi Qianwen"},      {"qwen research", "Qwen Research"},           {"deepseek license", "DeepSeek"},
      {"mistral ai research", "Mistral Research"}, {"attribution 4.0 international", "CC BY 4.0"}, {"gnu affero", "AGPL"},
      {"gnu lesser", "LGPL"},                    {"gnu general public", "GPL"},                {"redistribution and use in source and binary", "BSD"},
      {"permission is hereby granted, free of charge", "MIT"}};
  std::string head(text.substr(0, 4000));
  std::transform(head.begin(), head.end(), head.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  for (const Known& row : known)
    if (head.find(row.words) != head.npos) return row.name;
  return {};
}

Finding license_finding(const DiffInput& input, const ChangedFile& file, PartChange& change) {
  static constexpr FileWords words{"license.file", "licence text", Impact::legal, Impact::legal, Impact::legal, Impact::cosmetic};
  Finding finding = file_finding(file, words);
  const TextFile before = read_text(input.before, file.before), after = read_text(input.after, file.after);
  if (!before.read || !after.read) {
    change.unreadable.push_back({file.path(), before.read ? "after" : "before", "not read: " + (before.read ? after.reason : before.reason)});
    return finding;
  }
  if (file.before && file.after && without_layout(before.text()) == without_layout(after.text())) {
    finding.rule = "license.file.respelled";
    finding.impact = Impact::cosmetic;
    finding.meaning = "licence text " + file.path() + " was written anew with the same content";
    return finding;
  }
  const std::string was(recognised(before.text())), is(recognised(after.text()));
  if (!was.empty()) finding.evidence.append("license_before", was);
  if (!is.empty()) finding.evidence.append("license_after", is);
  if (!was.empty() && !is.empty() && was != is) finding.meaning += ": " + was + " became " + is;
  else if (!is.empty() && !file.before) finding.meaning += ": " + is;
  else if (!was.empty() && !file.after) finding.meaning += ": it was " + was;
  return finding;
}

PartChange diff_license(const DiffInput& input) {
  PartChange change;
  for (const ChangedFile* file : input.changed_in(Part::license)) change.findings.push_back(license_finding(input, *file, change));
  return change;
}

/// The texts, wherever they lie.
std::optional<std::string> meaning(const Snapshot& snapshot) {
  std::vector<std::string> texts;
  for (const ListedFile& file : snapshot.listing) {
    if (!reads(file.path)) continue;
    const TextFile text = read_text(snapshot, &file);
    texts.push_back(text.read ? sha256(without_layout(text.text())) : std::string(file.identity()));
  }
  if (texts.empty()) return std::nullopt;
  std::sort(texts.begin(), texts.end());
  std::string all;
  for (const std::string& text : texts) all += text + "\n";
  return all;
}

}  // namespace

const PartDiffer kLicenseDiffer{Part::license, reads, diff_license, meaning};

}  // namespace modelwatch::advisories
