#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "advisories/diff/json_difference.h"
#include "advisories/impact.h"

namespace modelwatch::advisories {

/// What a class of keys does to those who load the file, whatever its name: the deliberate grade of a key.
struct KeyClass {
  std::string_view name;         ///< "shape", "rope", …
  Impact added, removed, replaced;
  std::string_view consequence;  ///< what a change does, as the second half of a sentence
  std::string_view advice;       ///< what to do about it (docs/rules.md)
};

/// What surrounds one edit: everything a rule may look at besides the two values.
struct Surroundings {
  const json::Value& before;             ///< the whole documents
  const json::Value& after;
  const std::vector<Edit>& edits;        ///< all edits of the file
  std::string_view path;
  /// The token of an id, as the repository's tokenizer files name it; empty where they do not say.
  std::function<std::string(std::int64_t id, bool after)> token_name = {};
  /// A file of the revision after (or before): whether the listing has it.
  std::function<bool(std::string_view path, bool after)> has_file = {};

  /// Whether any edit of this file touches one of these keys (last tokens of the pointer).
  bool touches(std::initializer_list<std::string_view> keys) const;
};

struct Subject {
  const Edit& edit;
  std::string key;                          ///< the pointer without nested parts: "rope_scaling/factor"
  std::optional<json::Value> default_value;  ///< what loaders use where the key is absent, where that is known
  const Surroundings& around;

  /// The value in force: what is written, else the default, else null.
  json::Value in_force_before() const;
  json::Value in_force_after() const;
};

struct Verdict {
  Impact impact = Impact::unknown;
  std::string verb;         ///< last part of the rule id: "added", "removed", "replaced", "extended", "respelled", …
  std::string head;         ///< first half of the sentence: what changed from what to what
  std::string consequence;  ///< second half
  json::Object evidence;
};

/// Corrects the verdict that the class gave, by what the values and their surroundings say.
using Judge = void (*)(const Subject& subject, Verdict& verdict);

/// One row of a rule table. `keys` are alternatives, "a|b/c|*_dropout"; '*' stands for any text.
struct KeyRule {
  std::string_view keys;
  std::string_view gloss;               ///< what the key is, "number of layers"
  const KeyClass& grades;
  std::string_view consequence = {};    ///< in place of the class's
  Judge judge = nullptr;
  std::string_view id = {};             ///< middle part of the rule id, where it is not the first key
};
using RuleTable = std::span<const KeyRule>;

/// Rules of one kind of file, in the order in which they are tried: exact keys of all tables first, patterns after them.
class RuleBook {
 public:
  explicit RuleBook(std::vector<RuleTable> tables);
  const KeyRule* find(std::string_view key) const;
  const std::vector<RuleTable>& tables() const { return tables_; }

 private:
  std::vector<RuleTable> tables_;
  std::vector<std::pair<std::string_view, const KeyRule*>> exact_, patterns_;
};

/// Middle part of the ids of a rule's findings: "rope_scaling.factor", "any_dropout".
std::string rule_name(const KeyRule& rule);

/// The class's verdict with the sentence's first half, then the rule's own judge.
Verdict judge(const KeyRule& rule, const Subject& subject);

/// A value as it stands in a sentence: at most about 60 bytes, cut between characters.
std::string said(const json::Value& value);
std::string said(const json::Value* value);

}  // namespace modelwatch::advisories
