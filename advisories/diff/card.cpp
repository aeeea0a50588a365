#include "advisories/diff/file_findings.h"
#include "advisories/diff/json_difference.h"
#include "advisories/diff/rules/tables.h"
#include "advisories/manifest/files.h"
#include "advisories/manifest/front_matter.h"
#include "advisories/manifest/text_file.h"
#include "estimator/json/writer.h"

namespace modelwatch::advisories {
namespace {

bool reads(std::string_view path) { return part_of(path) == Part::card; }

const RuleBook& rules() {
  static const RuleBook book({kCardRules});
  return book;
}

std::string joined(const std::vector<std::string>& tokens) {
  std::string key;
  for (const std::string& token : tokens) key += (key.empty() ? "" : "/") + token;
  return key;
}

Finding about(const ChangedFile& file, std::string_view rule, Impact impact, std::string meaning) {
  Finding finding;
  finding.rule = rule;
  finding.impact = impact;
  finding.path = file.path();
  finding.meaning = std::move(meaning);
  return finding;
}

void judge_front_matter(const ChangedFile& file, const FrontMatter& before, const FrontMatter& after, std::vector<Finding>& findings) {
  const std::vector<Edit> edits = difference(before.value, after.value);
  const Surroundings around{before.value, after.value, edits, file.path()};
  for (const Edit& edit : edits) {
    const Subject subject{edit, joined(pointer_tokens(edit.pointer)), std::nullopt, around};
    const KeyRule& rule = *rules().find(subject.key);  // the table ends with "*"
    const Verdict verdict = judge(rule, subject);
    Finding finding = about(file, "card." + rule_name(rule) + "." + verdict.verb, verdict.impact, verdict.head + ": " + verdict.consequence);
    finding.pointer = edit.pointer;
    if (edit.before) finding.before = *edit.before;
    if (edit.after) finding.after = *edit.after;
    findings.push_back(std::move(finding));
  }
}

void judge_card(const ChangedFile& file, const TextFile& before, const TextFile& after, std::vector<Finding>& findings) {
  const FrontMatter was = read_front_matter(before.text()), is = read_front_matter(after.text());
  using State = FrontMatter::State;
  if (is.state == State::broken && was.state != State::broken) {
    const bool licensed = was.value.find("license") != nullptr;
    findings.push_back(about(file, "card.front_matter.unparsable", licensed ? Impact::legal : Impact::cosmetic,
                             "the card's metadata no longer parses (" + is.problem + ")" + (licensed ? ": the Hub shows no licence any more" : "")));
  } else {
    judge_front_matter(file, was, is, findings);
  }
  if (was.state == State::broken && is.state != State::broken)
    findings.push_back(about(file, "card.front_matter.parses_again", Impact::cosmetic, "the card's metadata parses again"));
  if (!findings.empty()) return;
  const bool layout = without_layout(before.text()) == without_layout(after.text());
  findings.push_back(about(file, layout ? "card.file.respelled" : "card.body.changed", Impact::cosmetic,
                           layout ? "the card was written anew with the same content" : "the card's text changed, its metadata did not"));
}

PartChange diff_card(const DiffInput& input) {
  PartChange change;
  for (const ChangedFile* file : input.changed_in(Part::card)) {
    const TextFile before = read_text(input.before, file->before), after = read_text(input.after, file->after);
    if (before.read && after.read) {
      judge_card(*file, before, after, change.findings);
      continue;
    }
    const std::string& reason = before.read ? after.reason : before.reason;
    change.unreadable.push_back({file->path(), before.read ? "after" : "before", "not read: " + reason});
    change.findings.push_back(about(*file, "card.file.not_read", Impact::unknown, "the card changed, but could not be read: " + reason));
  }
  return change;
}

/// Terms and task; the text and what describes the model are no part of the meaning.
std::optional<std::string> meaning(const Snapshot& snapshot) {
  std::optional<std::string> text;
  for (const ListedFile& file : snapshot.listing) {
    if (!reads(file.path)) continue;
    if (!text) text.emplace();
    const TextFile card = read_text(snapshot, &file);
    const FrontMatter front = read_front_matter(card.text());
    if (!card.read || front.state == FrontMatter::State::broken) {
      text->append(file.identity());
      continue;
    }
    json::Object kept;
    for (const auto& [key, value] : *front.value.object())
      if (rules().find(key)->grades.replaced != Impact::cosmetic) kept.append(key, value);
    text->append(json::write(kept, json::Style::canonical));
  }
  return text;
}

}  // namespace

const PartDiffer kCardDiffer{Part::card, reads, diff_card, meaning};

}  // namespace modelwatch::advisories
