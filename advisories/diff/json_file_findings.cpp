#include "advisories/diff/json_file_findings.h"

#include <algorithm>

#include "advisories/diff/json_edits.h"

namespace modelwatch::advisories {
namespace {

Finding about(const ChangedFile& file, std::string_view verb, Impact impact, std::string meaning) {
  Finding finding;
  finding.rule = std::string(name(file.part)) + ".file." + std::string(verb);
  finding.impact = impact;
  finding.path = file.path();
  finding.meaning = std::move(meaning);
  return finding;
}

/// A model type alone, beside GGUF files, serves the Hub's counting and no loader.
bool describes_model(const json::Value& document) {
  if (document.find("auto_map") || document.find("architectures")) return true;
  return document.find("model_type") && document.object()->size() > 3;
}

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string at(const json::Problem& problem) {
  return "line " + std::to_string(problem.line) + ", column " + std::to_string(problem.column) + " (" + problem.reason + ")";
}

}  // namespace

Finding moved_json_file(const ChangedFile& file) {
  Finding finding = about(file, "moved", Impact::breaking,
                          file.before->path + " moved to " + file.path() + ", bytes unchanged: loaders look for it by its path and no longer find it");
  if (base_name(file.before->path) == base_name(file.path()) && file.path().find('/') == std::string::npos) {
    finding.impact = Impact::behaviour;
    finding.meaning = file.before->path + " moved to " + file.path() + ", bytes unchanged: loaders find it there from now on";
  }
  finding.evidence.append("from", file.before->path);
  return finding;
}

Finding unread_json_file(const ChangedFile& file) {
  const char* verb = !file.before ? "added" : !file.after ? "removed" : "changed";
  return about(file, verb, Impact::cosmetic, file.path() + " " + verb + ": no loader that is known here reads it");
}

Finding json_file_not_at_hand(const ChangedFile& file, const JsonFile& before, const JsonFile& after) {
  const std::string reason = after.state == JsonFile::State::not_read ? after.reason : before.reason;
  const char* verb = !file.before ? "added" : !file.after ? "removed" : "changed";
  Finding finding = about(file, "not_read", Impact::unknown, file.path() + " " + verb + ", but could not be read: " + reason);
  finding.pointer = "";
  return finding;
}

Finding respelled_json_file(const ChangedFile& file, const JsonFile& before, const JsonFile& after) {
  if (!(*before.value() == *after.value()))  // the only member that is not judged here
    return about(file, "template_only", Impact::cosmetic, "nothing in " + file.path() + " changed but the chat template");
  return about(file, "respelled", Impact::cosmetic, file.path() + " was written anew with the same content: order, spacing or escapes");
}

Finding whole_json_file(const DiffInput& input, const ChangedFile& file, const Dialect& dialect, const JsonFile& before, const JsonFile& after) {
  const bool added = !file.before;
  const json::Value nothing = json::Object{};
  std::vector<Finding> members;
  judge_edits({input, file.path(), dialect, added ? nothing : *before.value(), added ? *after.value() : nothing}, members);
  const auto gravest = std::max_element(members.begin(), members.end(), [](const Finding& a, const Finding& b) { return a.impact < b.impact; });
  const Impact inside = gravest == members.end() ? Impact::cosmetic : gravest->impact;
  const json::Value& document = added ? *after.value() : *before.value();
  const Presence& presence = dialect.presence;
  const bool read = dialect.normal != normal_config || describes_model(document);
  Impact impact = added ? std::min(inside, presence.added) : std::max(inside, presence.removed);
  if (inside == Impact::security) impact = Impact::security;
  if (inside == Impact::unknown) impact = presence.added;
  std::string consequence(added ? presence.added_consequence : presence.removed_consequence);
  if (!read) {
    impact = Impact::cosmetic;
    consequence = "it says too little for a loader to build a model from";
  } else if (impact == Impact::security) {
    consequence = gravest->meaning;
  }
  Finding finding = about(file, added ? "added" : "removed", impact,
                          std::string(dialect.name) + " " + file.path() + (added ? " added: " : " removed: ") + consequence);
  finding.pointer = "";
  finding.evidence.append("members", members.size());
  return finding;
}

void add_syntax_findings(const ChangedFile& file, const JsonFile& before, const JsonFile& after, std::vector<Finding>& findings) {
  using State = JsonFile::State;
  const auto add = [&](std::string_view verb, Impact impact, std::string meaning) -> Finding& {
    return findings.emplace_back(about(file, verb, impact, file.path() + std::move(meaning)));
  };
  if (after.state == State::broken && before.state == State::broken) {
    add("still_unparsable", Impact::breaking, " is still no JSON, " + at(after.problem) + ": loaders fail on it; the other findings are from what could be read").pointer = "";
  } else if (after.state == State::broken) {
    add("unparsable", Impact::breaking, " is no JSON any more, " + at(after.problem) + ": loaders fail on it; the other findings are from what could be read").pointer = "";
  } else if (before.state == State::broken) {
    add("parses_again", Impact::breaking, " is JSON again after " + at(before.problem) + ": loaders failed on it before").pointer = "";
  }
  if (after.state != State::parsed) return;
  json::Array twice;
  for (const std::string& pointer : after.document.duplicates)
    if (std::find(before.document.duplicates.begin(), before.document.duplicates.end(), pointer) == before.document.duplicates.end() && twice.size() < 20)
      twice.push_back(pointer);
  if (!twice.empty()) {
    std::string first = *twice.front().string();
    add("duplicate_key", Impact::behaviour, " has " + first + " twice: Python takes the last one, other readers may take the first").evidence.append("pointers", std::move(twice));
  }
  if (after.document.non_finite && !before.document.non_finite)
    add("not_finite", Impact::behaviour, " holds NaN or Infinity, which Python reads and strict JSON readers refuse");
}

}  // namespace modelwatch::advisories
