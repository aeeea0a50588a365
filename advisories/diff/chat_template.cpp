#include "advisories/manifest/chat_template.h"

#include <algorithm>
#include <set>

#include "advisories/diff/chat_template_words.h"
#include "advisories/diff/file_findings.h"
#include "advisories/diff/json_file_findings.h"
#include "advisories/diff/rules/rule.h"
#include "advisories/manifest/files.h"

namespace modelwatch::advisories {
namespace {

constexpr std::size_t kMaxValue = 8 << 10;  // bytes of a template shown whole; beyond, the hunks tell
constexpr FileWords kUnread{"chat_template.unread_file", "template file", Impact::cosmetic, Impact::behaviour, Impact::behaviour, Impact::behaviour};
constexpr TemplateLoader kLoaders[] = {TemplateLoader::tokenizer, TemplateLoader::processor};

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool reads(std::string_view path) { return part_of(path) == Part::chat_template || template_folder(path); }

JsonSource source(Documents& documents) {
  return [&documents](std::string_view path) -> const JsonFile& { return documents.at(path); };
}

/// A template in force, by name, on both sides; the loaders agree or are told apart by their places.
struct NameChange {
  std::string name;
  TemplateInForce before, after;  // place null: none
};

class FolderDiff {
 public:
  FolderDiff(const DiffInput& input, const std::string& folder)
      : input_(input), before_(read_chat_templates(input.before, folder, source(input.documents_before))),
        after_(read_chat_templates(input.after, folder, source(input.documents_after))) {
    for (const TemplateLoader loader : kLoaders) compare(before_.in_force(loader), after_.in_force(loader));
  }

  bool any_before() const { return !before_.places.empty(); }
  bool any_after() const { return !after_.places.empty(); }

  void run(PartChange& change) const {
    std::set<std::string> paths;
    for (const ChatTemplates* side : {&before_, &after_})
      for (const TemplatePlace& place : side->places) paths.insert(place.path);
    for (const std::string& path : paths) {
      const TemplatePlace *was = before_.at(path), *is = after_.at(path);
      if (was && !was->trouble.empty()) change.unreadable.push_back({path, "before", was->trouble});
      if (is && !is->trouble.empty()) change.unreadable.push_back({path, "after", is->trouble});
      if (!was || !is || was->texts != is->texts || (!is->trouble.empty() && was->identity != is->identity))
        change.findings.push_back(finding(path, was, is));
    }
  }

 private:
  void compare(const TemplatesInForce& before, const TemplatesInForce& after) {
    std::set<std::string> names;
    for (const TemplatesInForce* side : {&before, &after})
      for (const auto& [name, text] : *side) names.insert(name);
    const auto of = [](const TemplatesInForce& side, const std::string& name) {
      const auto found = side.find(name);
      return found == side.end() ? TemplateInForce{} : found->second;
    };
    for (const std::string& name : names) {
      NameChange change{name, of(before, name), of(after, name)};
      if (change.before.place && change.after.place && change.before.text == change.after.text) continue;
      changes_.push_back(std::move(change));
    }
  }

  Finding finding(const std::string& path, const TemplatePlace* was, const TemplatePlace* is) const {
    const TemplatePlace& place = is ? *is : *was;
    Finding found;
    found.path = path;
    found.pointer = place.pointer;
    const bool both = input_.before.listing.find(path) && input_.after.listing.find(path);
    if (found.pointer && base_name(path) == "chat_template.json" && !both) found.pointer = "";
    keep(was, found.before);
    keep(is, found.after);
    std::vector<TemplateVerdict> verdicts;
    std::set<std::string> seen;
    for (const NameChange& change : changes_) {
      if ((change.before.place != was || !was) && (change.after.place != is || !is)) continue;
      if (seen.insert(change.name).second) verdicts.push_back(judge(change, is));
    }
    if (verdicts.empty()) without_effect(was, is, found);
    else with_effect(verdicts, found);
    return found;
  }

  /// `here` is the place the finding is about: only where the text in force now is written are the hunks shown.
  static TemplateVerdict judge(const NameChange& change, const TemplatePlace* here) {
    const TemplatePlace *was = change.before.place, *is = change.after.place;
    TemplateVerdict verdict = was && !was->trouble.empty() && is   ? unread_template(change.name, was->trouble)
                              : was && is && !is->trouble.empty() ? unread_template(change.name, is->trouble)
                              : !was                              ? added_template(change.name, is->trouble.empty() ? change.after.text : "")
                              : !is                               ? removed_template(change.name)
                                                                  : replaced_template(change.name, change.before.text, change.after.text);
    if (was && is && was->path != is->path) verdict.meaning += "; it is read from " + is->path + " now, from " + was->path + " before";
    if (is && here != is) verdict.evidence = {};
    return verdict;
  }

  static void with_effect(std::vector<TemplateVerdict>& verdicts, Finding& found) {
    const auto gravest = std::max_element(verdicts.begin(), verdicts.end(), [](const auto& a, const auto& b) { return a.impact < b.impact; });
    found.rule = "chat_template." + gravest->verb;
    found.impact = gravest->impact;
    found.meaning = gravest->meaning;
    found.cause = "chat_template." + gravest->name;
    if (verdicts.size() == 1) {
      found.evidence = std::move(gravest->evidence);
    } else {
      found.meaning += " (" + std::to_string(verdicts.size()) + " templates in all)";
      json::Object by_name;
      for (TemplateVerdict& verdict : verdicts) by_name.append(verdict.name, std::move(verdict.evidence));
      found.evidence.append("templates", std::move(by_name));
    }
  }

  void without_effect(const TemplatePlace* was, const TemplatePlace* is, Finding& found) const {
    found.impact = Impact::cosmetic;
    const TemplatePlace* now = in_force_after();
    if (was && is && now == is) {
      found.rule = "chat_template.respelled";
      found.meaning = "the chat template is written with other line endings or in another form, its text is the same";
    } else if (now && now != is) {
      found.rule = is ? "chat_template.hidden" : "chat_template.moved";
      found.meaning = is ? "the template of " + is->path + " changed, but loaders read that of " + now->path
                         : "the chat template moved to " + now->path + ", its text is the same";
      found.evidence.append("in_force", now->path);
    } else {
      found.rule = "chat_template.moved";
      found.meaning = "the chat template is written here as well; its text in force is the same as before";
    }
    found.cause = "chat_template.default";
  }

  const TemplatePlace* in_force_after() const {
    const TemplatesInForce now = after_.in_force(TemplateLoader::tokenizer);
    return now.empty() ? nullptr : now.begin()->second.place;
  }

  static void keep(const TemplatePlace* place, std::optional<json::Value>& kept) {
    if (!place || !place->trouble.empty()) return;
    json::Object named;
    std::size_t bytes = 0;
    for (const auto& [name, text] : place->texts) {
      named.append(name, text);
      bytes += text.size();
    }
    if (bytes > kMaxValue || named.empty()) return;
    if (named.size() == 1 && named.begin()->first == "default") kept = named.begin()->second;
    else kept = std::move(named);
  }

  const DiffInput& input_;
  ChatTemplates before_, after_;
  std::vector<NameChange> changes_;
};

/// Keys beside the template in a file that is for the template alone.
void other_keys(const ChangedFile& file, const JsonFile& before, const JsonFile& after, std::vector<Finding>& findings) {
  if (!before.value() || !after.value()) return;
  for (const Edit& edit : difference(*before.value(), *after.value())) {
    if (edit.pointer == "/chat_template" || edit.pointer.starts_with("/chat_template/")) continue;
    Finding found;
    found.rule = "chat_template.unread_key";
    found.impact = Impact::cosmetic;
    found.path = file.path();
    found.pointer = edit.pointer;
    if (edit.before) found.before = *edit.before;
    if (edit.after) found.after = *edit.after;
    found.meaning = (edit.pointer.empty() ? "the document" : edit.pointer.substr(1)) + (edit.added() ? " added" : edit.removed() ? " removed" : " changed") + ": no loader reads it from " + file.path();
    findings.push_back(std::move(found));
  }
}

void diff_template_json(const DiffInput& input, const ChangedFile& file, PartChange& change) {
  const JsonFile &before = input.documents_before.at(file.path()), &after = input.documents_after.at(file.path());
  for (const auto& [side, read] : {std::pair("before", &before), std::pair("after", &after)})
    if (read->state == JsonFile::State::broken) change.unreadable.push_back({file.path(), side, read->trouble()});
  add_syntax_findings(file, before, after, change.findings);
  other_keys(file, before, after, change.findings);
}

/// The bytes differ, no template does.
Finding respelled(const ChangedFile& file) {
  Finding found;
  found.rule = "chat_template.respelled";
  found.impact = Impact::cosmetic;
  found.path = file.path();
  found.meaning = file.path() + " was written anew, its templates are the same";
  return found;
}

PartChange diff_chat_template(const DiffInput& input) {
  PartChange change;
  std::set<std::string> folders;
  for (const ChangedFile& file : input.changed)
    for (const ListedFile* side : {file.before, file.after})
      if (const auto folder = side ? template_folder(side->path) : std::nullopt) folders.insert(*folder);
  bool before = false, after = false;
  for (const std::string& folder : folders) {
    const FolderDiff difference(input, folder);
    before |= difference.any_before();
    after |= difference.any_after();
    difference.run(change);
  }
  for (const ChangedFile* file : input.changed_in(Part::chat_template)) {
    if (base_name(file->path()) == "chat_template.json" && !file->moved()) diff_template_json(input, *file, change);
    else if (!template_folder(file->path())) change.findings.push_back(file_finding(*file, kUnread));
    const auto told = [&](const Finding& finding) { return finding.path == file->path(); };
    if (std::none_of(change.findings.begin(), change.findings.end(), told)) change.findings.push_back(respelled(*file));
  }
  change.kind = !before && after ? "added" : before && !after ? "removed" : "modified";
  return change;
}

std::optional<std::string> meaning(const Snapshot& snapshot) {
  Documents documents(snapshot);
  std::set<std::string> folders;
  std::string text;
  for (const ListedFile& file : snapshot.listing) {
    if (const auto folder = template_folder(file.path)) folders.insert(*folder);
    else if (part_of(file.path) == Part::chat_template) text.append(file.path).append(" ").append(file.identity()).append("\n");
  }
  for (const std::string& folder : folders) {
    const ChatTemplates templates = read_chat_templates(snapshot, folder, source(documents));
    for (const TemplateLoader loader : kLoaders)
      for (const auto& [name, in_force] : templates.in_force(loader))
        text.append(folder).append("\n").append(name).append("\n").append(std::to_string(in_force.text.size())).append("\n").append(in_force.text);
  }
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

}  // namespace

const PartDiffer kChatTemplateDiffer{Part::chat_template, reads, diff_chat_template, meaning};

}  // namespace modelwatch::advisories
