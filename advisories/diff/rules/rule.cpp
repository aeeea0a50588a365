#include "advisories/diff/rules/rule.h"

#include <algorithm>

#include "estimator/json/utf8.h"
#include "estimator/json/writer.h"

namespace modelwatch::advisories {
namespace {

constexpr std::size_t kMaxSaid = 60;

bool glob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, mark = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

template <class Each>
void each_alternative(std::string_view keys, Each each) {
  while (true) {
    const std::size_t bar = keys.find('|');
    each(keys.substr(0, bar));
    if (bar == std::string_view::npos) return;
    keys.remove_prefix(bar + 1);
  }
}

/// The first half of the sentence.
std::string head(const KeyRule& rule, const Subject& subject) {
  const Edit& edit = subject.edit;
  std::string text(rule.gloss);
  const std::string key = subject.key.empty() ? std::string("the file") : subject.key;
  if (text != key) text += text.empty() ? key : " (" + key + ")";
  if (edit.added()) {
    text += " set to " + said(edit.after);
    if (subject.default_value) text += ", without it " + said(*subject.default_value) + " was used";
  } else if (edit.removed()) {
    text += " " + said(edit.before) + " removed";
    if (subject.default_value) text += ", " + said(*subject.default_value) + " is used instead";
  } else {
    text += " changed from " + said(edit.before) + " to " + said(edit.after);
  }
  return text;
}

std::string cut(std::string text) {
  if (text.size() <= kMaxSaid) return text;
  std::size_t end = 0;
  while (end < kMaxSaid) end += std::max<std::size_t>(json::utf8_length(std::string_view(text).substr(end)), 1);
  text.resize(std::min(end, text.size()));
  return text + "…";
}

}  // namespace

bool Surroundings::touches(std::initializer_list<std::string_view> keys) const {
  return std::any_of(edits.begin(), edits.end(), [&](const Edit& edit) {
    const auto tokens = pointer_tokens(edit.pointer);
    return std::any_of(keys.begin(), keys.end(), [&](std::string_view key) {
      return std::find(tokens.begin(), tokens.end(), key) != tokens.end();
    });
  });
}

json::Value Subject::in_force_before() const { return edit.before ? *edit.before : default_value.value_or(json::Value()); }
json::Value Subject::in_force_after() const { return edit.after ? *edit.after : default_value.value_or(json::Value()); }

RuleBook::RuleBook(std::vector<RuleTable> tables) : tables_(std::move(tables)) {
  for (const RuleTable& table : tables_)
    for (const KeyRule& rule : table)
      each_alternative(rule.keys, [&](std::string_view key) {
        (key.find('*') == std::string_view::npos ? exact_ : patterns_).emplace_back(key, &rule);
      });
  std::stable_sort(exact_.begin(), exact_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
}

const KeyRule* RuleBook::find(std::string_view key) const {
  const auto at = std::lower_bound(exact_.begin(), exact_.end(), key, [](const auto& e, auto k) { return e.first < k; });
  if (at != exact_.end() && at->first == key) return at->second;
  for (const auto& [pattern, rule] : patterns_)
    if (glob(pattern, key)) return rule;
  return nullptr;
}

std::string rule_name(const KeyRule& rule) {
  if (!rule.id.empty()) return std::string(rule.id);
  std::string name;
  for (const char c : rule.keys.substr(0, rule.keys.find('|'))) {
    if (c == '/') name += '.';
    else if (c == '*') name += "any";
    else name += c;
  }
  return name;
}

Verdict judge(const KeyRule& rule, const Subject& subject) {
  const Edit& edit = subject.edit;
  Verdict verdict;
  verdict.impact = edit.added() ? rule.grades.added : edit.removed() ? rule.grades.removed : rule.grades.replaced;
  verdict.verb = edit.added() ? "added" : edit.removed() ? "removed" : "replaced";
  verdict.head = head(rule, subject);
  verdict.consequence = rule.consequence.empty() ? rule.grades.consequence : rule.consequence;
  if (rule.judge) rule.judge(subject, verdict);
  return verdict;
}

std::string said(const json::Value& value) {
  const std::string written = json::write(value);
  const std::string* text = value.string();
  // A text that needs no escapes stands without quotes.
  if (text && !text->empty() && written.size() == text->size() + 2) return cut(*text);
  return cut(written);
}
std::string said(const json::Value* value) { return value ? said(*value) : "nothing"; }

}  // namespace modelwatch::advisories
