#include "advisories/diff/diff.h"

namespace modelwatch::advisories {
namespace {

std::string text_at(const json::Value& value, std::string_view key) {
  const json::Value* found = value.find(key);
  return found && found->string() ? *found->string() : std::string();
}

json::Value to_json(const Change& change) {
  json::Array findings;
  for (const Finding& finding : change.findings) findings.push_back(to_json(finding));
  return json::Object{{"part", name(change.part)},
                      {"impact", name(change.impact)},
                      {"kind", change.kind},
                      {"summary", change.summary},
                      {"findings", std::move(findings)}};
}

}  // namespace

json::Value to_json(const Finding& finding) {
  json::Object object{{"rule", finding.rule}, {"impact", name(finding.impact)}};
  if (!finding.path.empty()) object.append("path", finding.path);
  if (finding.pointer) object.append("pointer", *finding.pointer);
  // A value that was absent and one that was null differ: the absent one has no member.
  if (finding.before) object.append("before", *finding.before);
  if (finding.after) object.append("after", *finding.after);
  object.append("meaning", finding.meaning);
  object.append("evidence", finding.evidence);
  if (!finding.cause.empty()) object.append("cause", finding.cause);
  return object;
}

Finding finding_from_json(const json::Value& value) {
  Finding finding;
  finding.rule = text_at(value, "rule");
  finding.impact = impact_named(text_at(value, "impact")).value_or(Impact::unknown);
  finding.path = text_at(value, "path");
  finding.meaning = text_at(value, "meaning");
  finding.cause = text_at(value, "cause");
  if (value.find("pointer")) finding.pointer = text_at(value, "pointer");
  if (const json::Value* before = value.find("before")) finding.before = *before;
  if (const json::Value* after = value.find("after")) finding.after = *after;
  if (const json::Value* evidence = value.find("evidence"); evidence && evidence->object())
    finding.evidence = *evidence->object();
  return finding;
}

json::Value to_json(const Diff& diff) {
  json::Array parts, unreadable;
  for (const Change& change : diff.parts) parts.push_back(to_json(change));
  for (const Unreadable& file : diff.unreadable)
    unreadable.push_back(json::Object{{"path", file.path}, {"side", file.side}, {"reason", file.reason}});
  return json::Object{{"schema", "modelwatch/diff/1"},
                      {"impact", name(diff.impact)},
                      {"parts", std::move(parts)},
                      {"plan", diff.plan},
                      {"unreadable", std::move(unreadable)}};
}

}  // namespace modelwatch::advisories
