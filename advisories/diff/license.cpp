#include <algorithm>

#include "advisories/diff/file_findings.h"
#include "advisories/manifest/digest.h"
#include "advisories/manifest/files.h"
#include "advisories/manifest/license_text.h"
#include "advisories/manifest/text_file.h"

namespace modelwatch::advisories {
namespace {

bool reads(std::string_view path) { return part_of(path) == Part::license; }

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
  const std::string was(recognised_license(before.text())), is(recognised_license(after.text()));
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
