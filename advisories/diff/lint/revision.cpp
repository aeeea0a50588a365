#include "advisories/diff/lint/revision.h"

#include <algorithm>
#include <stdexcept>

namespace modelwatch::advisories::lint_checks {

const json::Value* Revision::document(std::string_view path) {
  const JsonFile& read = file(path);
  return read.state == JsonFile::State::parsed && read.document.value.object() ? &read.document.value : nullptr;
}

Finding& Revision::report(std::string_view id, std::string path, std::string meaning) {
  const auto rules = lint_rules();
  const auto rule = std::find_if(rules.begin(), rules.end(), [&](const LintRule& r) { return r.id == id; });
  if (rule == rules.end()) throw std::logic_error("no lint rule " + std::string(id));
  Finding finding;
  finding.rule = id;
  finding.impact = rule->impact;
  finding.path = std::move(path);
  finding.meaning = std::move(meaning);
  return findings_.emplace_back(std::move(finding));
}

const json::Value* in_config(const json::Value* config, std::string_view key) {
  if (!config) return nullptr;
  if (const json::Value* found = config->find(key)) return found;
  for (const char* nested : {"text_config", "llm_config", "language_config"})
    if (const json::Value* inner = config->find(nested))
      if (const json::Value* found = inner->find(key)) return found;
  return nullptr;
}

std::optional<std::int64_t> integer_at(const json::Value* document, std::string_view key) {
  const json::Value* found = in_config(document, key);
  return found ? found->integer() : std::nullopt;
}

std::string text_at(const json::Value* document, std::string_view key) {
  const json::Value* found = document ? document->find(key) : nullptr;
  return found && found->string() ? *found->string() : std::string();
}

std::set<std::int64_t> ids_at(const json::Value* document, std::string_view key) {
  std::set<std::int64_t> ids;
  const json::Value* found = in_config(document, key);
  if (!found) return ids;
  if (const auto one = found->integer()) ids.insert(*one);
  if (const json::Array* list = found->array())
    for (const json::Value& item : *list)
      if (item.integer()) ids.insert(*item.integer());
  return ids;
}

std::string token_at(const json::Value* document, std::string_view key) {
  const json::Value* found = document ? document->find(key) : nullptr;
  if (!found) return {};
  return found->string() ? *found->string() : text_at(found, "content");
}

}  // namespace modelwatch::advisories::lint_checks
