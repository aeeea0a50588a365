#include "advisories/diff/json_edits.h"

#include <algorithm>

#include "advisories/manifest/files.h"
#include "estimator/config/defaults.h"
#include "estimator/json/writer.h"

namespace modelwatch::advisories {
namespace {

constexpr std::size_t kMaxFindings = 2000;       // of one file; what is beyond is one finding with a count
constexpr std::size_t kMaxStoredValue = 64 << 10;  // bytes of JSON; larger values are told by their size

std::string token_name(Documents& documents, std::string_view path, std::int64_t id) {
  const std::string folder(path.substr(0, path.rfind('/') == std::string_view::npos ? 0 : path.rfind('/') + 1));
  const std::string key = std::to_string(id);
  for (const std::string& place : {folder + "tokenizer_config.json", std::string("tokenizer_config.json")}) {
    const json::Value* file = documents.at(place).value();
    const json::Value* table = file ? file->find("added_tokens_decoder") : nullptr;
    const json::Value* entry = table ? table->find(key) : nullptr;
    const json::Value* text = entry ? entry->find("content") : nullptr;
    if (text && text->string()) return *text->string();
  }
  const json::Value* added = documents.at(folder + "added_tokens.json").value();
  if (added && added->object())
    for (const auto& [token, number] : *added->object())
      if (number.integer() == id) return token;
  return {};
}

enum class Same { no, respelled, default_written, default_dropped };

/// Whether an edit leaves the meaning as it was, and how.
Same same_meaning(const Edit& edit, const NormalForm& before, const NormalForm& after) {
  const std::vector<std::string> places = (edit.after ? after : before).places_of(edit.pointer);
  bool written = false;
  for (const std::string& place : places) {
    const json::Value *was = json::at_pointer(before.value, place), *is = json::at_pointer(after.value, place);
    if (!was != !is || (was && !(*was == *is))) return Same::no;
    written |= was != nullptr;
  }
  if (written || (edit.before && edit.after)) return Same::respelled;
  return edit.after ? Same::default_written : Same::default_dropped;
}

void keep_value(const json::Value* value, std::string_view side, std::optional<json::Value>& kept, json::Object& evidence) {
  if (!value) return;
  if (std::string text = json::write(*value); text.size() > kMaxStoredValue)
    evidence.append("bytes_" + std::string(side), text.size());  // the sentence shows its beginning
  else kept = *value;
}

class EditJudge {
 public:
  explicit EditJudge(const JsonPair& pair)
      : pair_(pair), part_(name(part_of(pair.path))), edits_(difference(pair.before, pair.after)), normal_before_(pair.dialect.normal(pair.before)),
        normal_after_(pair.dialect.normal(pair.after)) {
    around_.token_name = [&input = pair.input, path = pair.path](std::int64_t id, bool after) {
      return token_name(after ? input.documents_after : input.documents_before, path, id);
    };
    around_.has_file = [&input = pair.input](std::string_view path, bool after) {
      return (after ? input.after : input.before).listing.find(path) != nullptr;
    };
    // The template is read where it lives by the part chat_template.
    std::erase_if(edits_, [&](const Edit& edit) {
      return part_of(pair.path) == Part::tokenizer && (edit.pointer == "/chat_template" || edit.pointer.starts_with("/chat_template/"));
    });
  }

  void run(std::vector<Finding>& findings) {
    for (const Edit& edit : edits_) {
      if (findings.size() >= kMaxFindings) return findings.push_back(rest(edits_.size()));
      findings.push_back(finding(edit));
    }
  }

 private:
  Finding finding(const Edit& edit) {
    Finding found;
    found.path = pair_.path;
    found.pointer = edit.pointer;
    const Same same = same_meaning(edit, normal_before_, normal_after_);
    const std::string key = rule_key(pair_.dialect, edit.pointer);
    const KeyRule* rule = pair_.dialect.rules().find(key);
    if (same != Same::no) equal(edit, same, key, rule, found);
    else judged(edit, key, rule, found);
    keep_value(edit.before, "before", found.before, found.evidence);
    keep_value(edit.after, "after", found.after, found.evidence);
    return found;
  }

  void equal(const Edit& edit, Same same, const std::string& key, const KeyRule* rule, Finding& found) const {
    const std::string_view verb = same == Same::respelled ? "respelled" : same == Same::default_written ? "default_written" : "default_dropped";
    found.rule = id(rule, verb);
    found.impact = Impact::cosmetic;
    if (same == Same::default_written) found.meaning = key + " " + said(edit.after) + " written out: the same as leaving it out";
    else if (same == Same::default_dropped) found.meaning = key + " " + said(edit.before) + " left out: the same as writing it";
    else if (const Edit* twin = twin_of(edit)) spelled_anew(edit.added() ? *twin : edit, edit.added() ? edit : *twin, found);
    else if (edit.added()) found.meaning = key + " " + said(edit.after) + ": another spelling of what was there";
    else if (edit.removed()) found.meaning = key + " " + said(edit.before) + " removed: said elsewhere in the file with the same meaning";
    else found.meaning = key + " " + said(edit.before) + " written as " + said(edit.after) + ": the same meaning";
  }

  /// The edit that takes back under one name what this one says under another.
  const Edit* twin_of(const Edit& edit) const {
    if (edit.before && edit.after) return nullptr;
    const auto mine = (edit.after ? normal_after_ : normal_before_).places_of(edit.pointer);
    for (const Edit& other : edits_) {
      if ((other.before && other.after) || other.added() == edit.added()) continue;
      const auto theirs = (other.after ? normal_after_ : normal_before_).places_of(other.pointer);
      if (std::find_first_of(mine.begin(), mine.end(), theirs.begin(), theirs.end()) != mine.end()) return &other;
    }
    return nullptr;
  }

  static void spelled_anew(const Edit& removed, const Edit& added, Finding& found) {
    const std::string was = pointer_tokens(removed.pointer).back(), is = pointer_tokens(added.pointer).back();
    found.meaning = was + " " + said(removed.before) + " is now written as " + is + " " + said(added.after) + ": the same meaning";
    found.cause = "spelling of " + is;
  }

  void judged(const Edit& edit, const std::string& key, const KeyRule* rule, Finding& found) {
    if (!rule) return unruled(edit, key, found);
    const json::Value& document = edit.after ? pair_.before : pair_.after;  // the side that may rely on the default
    const Subject subject{edit, key, edit.before && edit.after ? std::nullopt : pair_.dialect.default_of(document, edit.pointer), around_};
    Verdict verdict = judge(*rule, subject);
    found.rule = id(rule, verdict.verb);
    found.impact = verdict.impact;
    found.meaning = std::move(verdict.head);
    if (!verdict.consequence.empty()) found.meaning += ": " + verdict.consequence;
    found.evidence = std::move(verdict.evidence);
  }

  /// A key that no table knows. Code in the repository may read it; a class of the library that does not declare it does not.
  void unruled(const Edit& edit, const std::string& key, Finding& found) const {
    const std::string_view verb = edit.added() ? "added" : edit.removed() ? "removed" : "replaced";
    found.rule = part_ + ".unlisted." + std::string(verb);
    const bool own_code = pair_.before.find("auto_map") || pair_.after.find("auto_map");
    found.impact = own_code ? Impact::behaviour : Impact::unknown;
    found.meaning = key + (edit.added() ? " set to " + said(edit.after) : edit.removed() ? " " + said(edit.before) + " removed"
                                                                                        : " changed from " + said(edit.before) + " to " + said(edit.after));
    found.meaning += own_code ? ": the repository's own code may read it" : ": no rule knows this key, so its effect is not judged";
  }

  std::string id(const KeyRule* rule, std::string_view verb) const {
    return part_ + "." + (rule ? rule_name(*rule) : std::string("unlisted")) + "." + std::string(verb);
  }

  Finding rest(std::size_t total) const {
    Finding found;
    found.rule = part_ + ".file.more";
    found.impact = Impact::unknown;
    found.path = pair_.path;
    found.meaning = std::to_string(total) + " values changed, of which the first " + std::to_string(kMaxFindings) + " are listed";
    found.evidence.append("values", total);
    return found;
  }

  const JsonPair& pair_;
  std::string part_;
  std::vector<Edit> edits_;
  NormalForm normal_before_, normal_after_;
  Surroundings around_{pair_.before, pair_.after, edits_, pair_.path};
};

}  // namespace

void judge_edits(const JsonPair& pair, std::vector<Finding>& findings) { EditJudge(pair).run(findings); }

}  // namespace modelwatch::advisories
