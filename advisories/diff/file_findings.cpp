#include "advisories/diff/file_findings.h"

namespace modelwatch::advisories {

Finding file_finding(const ChangedFile& file, const FileWords& words) {
  Finding finding;
  finding.path = file.path();
  const std::string noun(words.noun);
  const auto say = [&](std::string_view verb, Impact impact, std::string meaning) {
    finding.rule.append(words.rule).append(".").append(verb);
    finding.impact = impact;
    finding.meaning = std::move(meaning);
  };
  if (file.moved()) {
    say("moved", words.moved, noun + " moved from " + file.before->path + " to " + file.path() + ", bytes unchanged");
  } else if (!file.before) {
    say("added", words.added, noun + " " + file.path() + " added");
  } else if (!file.after) {
    say("removed", words.removed, noun + " " + file.path() + " removed");
  } else {
    say("changed", words.changed, noun + " " + file.path() + " changed");
  }
  if (file.before) finding.evidence.append("size_before", file.before->size);
  if (file.after) finding.evidence.append("size_after", file.after->size);
  return finding;
}

}  // namespace modelwatch::advisories
