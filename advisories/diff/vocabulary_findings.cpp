#include <algorithm>
#include <unordered_map>

#include "advisories/diff/tokenizer_findings.h"

namespace modelwatch::advisories {
namespace {

Finding about(const ChangedFile& file, std::string_view rule, Impact impact, std::optional<std::string> pointer) {
  Finding finding;
  finding.rule = "tokenizer." + std::string(rule);
  finding.impact = impact;
  finding.path = file.path();
  finding.pointer = std::move(pointer);
  return finding;
}

/// "3 tokens removed (a, b, …)", joined to what was said before.
void say(std::string& text, const Counted& counted, std::string_view noun, std::string_view verb) {
  if (counted.count == 0) return;
  if (!text.empty()) text += ", ";
  text += std::to_string(counted.count) + " " + std::string(noun) + (counted.count == 1 ? " " : "s ") + std::string(verb);
  text += " (" + counted.examples.front() + (counted.count > 1 ? ", …)" : ")");
}

void keep(json::Object& evidence, const char* key, const Counted& counted) {
  if (counted.count > 0) evidence.append(key, counted.to_json());
}

struct AddedChanges {
  Counted added, removed, reassigned, reflagged, whole, unwhole;
  std::uint32_t highest_added = 0;
  bool none() const { return added.count + removed.count + reassigned.count + reflagged.count + whole.count + unwhole.count == 0; }
};

using ById = std::unordered_map<std::string_view, const AddedToken*>;
ById by_content(const std::vector<AddedToken>& tokens) {
  ById map;
  for (const AddedToken& token : tokens) map[token.content] = &token;
  return map;
}

/// The ids that a vocabulary gives to some tokens.
std::unordered_map<std::string_view, std::uint32_t> ids_in(const Vocabulary& vocabulary, std::unordered_map<std::string_view, std::uint32_t> wanted) {
  if (wanted.empty()) return wanted;
  std::unordered_map<std::string_view, std::uint32_t> found;
  for (std::size_t i = 0; i < vocabulary.size(); ++i)
    if (const auto at = wanted.find(vocabulary[i].token); at != wanted.end()) found[at->first] = vocabulary[i].id;
  return found;
}

std::string flags_of(const AddedToken& token) {
  std::string text;
  const auto add = [&](bool set, std::string_view name) {
    if (set) text += (text.empty() ? "" : "+") + std::string(name);
  };
  add(token.special, "special");
  add(token.lstrip, "lstrip");
  add(token.rstrip, "rstrip");
  add(token.normalized, "normalized");
  add(token.single_word, "single_word");
  return text.empty() ? "no flags" : text;
}

AddedChanges compare_added(const TokenizerFile& before, const TokenizerFile& after) {
  AddedChanges changes;
  const ById was = by_content(before.added), is = by_content(after.added);
  std::unordered_map<std::string_view, std::uint32_t> fresh, gone;
  for (const auto& [content, token] : is) {
    const auto old = was.find(content);
    if (old == was.end()) {
      fresh[content] = token->id;
      continue;
    }
    if (old->second->id != token->id)
      changes.reassigned.add_with([&] { return shown(content) + ": " + std::to_string(old->second->id) + " → " + std::to_string(token->id); });
    if (!old->second->same_flags(*token)) changes.reflagged.add_with([&] { return shown(content) + ": " + flags_of(*old->second) + " → " + flags_of(*token); });
  }
  for (const auto& [content, token] : was)
    if (!is.contains(content)) gone[content] = token->id;
  const auto known = ids_in(before.vocabulary, fresh), kept = ids_in(after.vocabulary, gone);
  const auto named = [](std::string_view content, std::uint32_t id) { return shown(content) + " (" + std::to_string(id) + ")"; };
  for (const auto& [content, id] : fresh) {
    const auto at = known.find(content);
    const bool same_id = at != known.end() && at->second == id;
    (same_id ? changes.whole : changes.added).add(named(content, id));
    if (!same_id) changes.highest_added = std::max(changes.highest_added, id);
  }
  for (const auto& [content, id] : gone) {
    const auto at = kept.find(content);
    (at != kept.end() && at->second == id ? changes.unwhole : changes.removed).add(named(content, id));
  }
  for (Counted* counted : {&changes.added, &changes.removed, &changes.reassigned, &changes.reflagged, &changes.whole, &changes.unwhole})
    std::sort(counted->examples.begin(), counted->examples.end());
  return changes;
}

}  // namespace

Rows rows_for(const DiffInput& input, std::string_view path, std::uint32_t highest) {
  const std::string folder(path.substr(0, path.rfind('/') + 1));
  const json::Value* config = input.documents_after.at(folder + "config.json").value();
  const json::Value* size = config ? config->find("vocab_size") : nullptr;
  const json::Value* text = config ? config->find("text_config") : nullptr;
  if (!size && text) size = text->find("vocab_size");
  const auto rows = size ? size->integer() : std::nullopt;
  if (!rows) return {Impact::breaking, "no config.json here tells whether the model has rows for the new ids"};
  if (static_cast<std::int64_t>(highest) < *rows) return {Impact::behaviour, "the model has rows for the new ids (vocab_size " + std::to_string(*rows) + ")"};
  return {Impact::breaking, "id " + std::to_string(highest) + " lies beyond the " + std::to_string(*rows) + " rows of the model: looking it up fails"};
}

std::optional<Finding> vocabulary_finding(const DiffInput& input, const ChangedFile& file, std::optional<std::string> pointer, const VocabularyChanges& changes) {
  if (changes.none()) return std::nullopt;
  const bool lost = changes.removed.count + changes.reassigned.count > 0;
  Finding finding = about(file, "vocabulary." + std::string(changes.reassigned.count ? "reassigned" : changes.removed.count ? "removed" : changes.added.count ? "added" : "rescored"),
                          lost ? Impact::breaking : Impact::behaviour, std::move(pointer));
  std::string text;
  if (changes.reassigned.count && changes.shift) {
    text = std::to_string(changes.reassigned.count) + (changes.reassigned.count == 1 ? " id" : " ids") + " shifted by " + (*changes.shift > 0 ? "+" : "") +
           std::to_string(*changes.shift) + " (" + changes.reassigned.examples.front() + (changes.reassigned.count > 1 ? ", …)" : ")");
  } else {
    say(text, changes.reassigned, "token", "given another id");
  }
  say(text, changes.removed, "token", "removed");
  say(text, changes.added, "token", "added");
  say(text, changes.rescored, "token", "scored differently");
  finding.meaning = "in the vocabulary " + text;
  if (lost) {
    finding.meaning += ": text is encoded to ids that the weights know as other tokens";
  } else if (changes.added.count) {
    const Rows rows = rows_for(input, file.path(), changes.highest_added);
    finding.impact = rows.impact;
    finding.meaning += ": " + rows.words;
  } else {
    finding.meaning += ": text may be split differently";
  }
  keep(finding.evidence, "reassigned", changes.reassigned);
  if (changes.shift && changes.reassigned.count) finding.evidence.append("shift", *changes.shift);
  keep(finding.evidence, "removed", changes.removed);
  keep(finding.evidence, "added", changes.added);
  keep(finding.evidence, "rescored", changes.rescored);
  return finding;
}

std::optional<Finding> merges_finding(const ChangedFile& file, std::optional<std::string> pointer, const MergeChanges& changes, bool tokens_added) {
  if (changes.none()) return std::nullopt;
  const bool extended = changes.appended_only && tokens_added;
  Finding finding = about(file, extended ? "merges.extended" : "merges.changed", extended ? Impact::behaviour : Impact::breaking, std::move(pointer));
  std::string text;
  say(text, changes.removed, "merge", "removed");
  say(text, changes.moved, "merge", "of another rank");
  say(text, changes.added, "merge", "added");
  finding.meaning = "among the merges " + text + (extended ? ": new tokens are built from old ones, other text is split as before"
                                                  : ": text is split differently than the weights were trained on");
  keep(finding.evidence, "removed", changes.removed);
  keep(finding.evidence, "moved", changes.moved);
  keep(finding.evidence, "added", changes.added);
  return finding;
}

std::optional<Finding> added_tokens_finding(const DiffInput& input, const ChangedFile& file, const TokenizerFile& before, const TokenizerFile& after) {
  if (before.added == after.added) return std::nullopt;
  const AddedChanges changes = compare_added(before, after);
  Finding finding = about(file, "added_tokens.", Impact::cosmetic, "/added_tokens");
  if (changes.none()) {
    finding.rule += "reordered";
    finding.meaning = "added tokens are listed in another order, each as before";
    return finding;
  }
  std::string text;
  say(text, changes.reassigned, "token", "given another id");
  say(text, changes.removed, "token", "removed");
  say(text, changes.added, "token", "added");
  say(text, changes.whole, "token", "kept whole from now on");
  say(text, changes.unwhole, "token", "no longer kept whole");
  say(text, changes.reflagged, "token", "with other flags");
  finding.meaning = "among the added tokens " + text;
  if (changes.reassigned.count + changes.removed.count > 0) {
    finding.rule += changes.reassigned.count ? "reassigned" : "removed";
    finding.impact = Impact::breaking;
    finding.meaning += ": text that holds them is encoded to other ids";
  } else if (changes.added.count) {
    const Rows rows = rows_for(input, file.path(), changes.highest_added);
    finding.rule += "added";
    finding.impact = rows.impact;
    finding.meaning += ": " + rows.words;
  } else {
    finding.rule += "reflagged";
    finding.impact = Impact::behaviour;
    finding.meaning += ": white space around them, splitting or skipping when decoding changes";
  }
  keep(finding.evidence, "reassigned", changes.reassigned);
  keep(finding.evidence, "removed", changes.removed);
  keep(finding.evidence, "added", changes.added);
  keep(finding.evidence, "kept_whole", changes.whole);
  keep(finding.evidence, "no_longer_whole", changes.unwhole);
  keep(finding.evidence, "reflagged", changes.reflagged);
  return finding;
}

}  // namespace modelwatch::advisories
