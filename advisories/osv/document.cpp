#include <cmath>

#include "advisories/osv/advisory.h"
#include "advisories/osv/details.h"
#include "advisories/osv/purl.h"

namespace modelwatch::advisories {
namespace {

/// Readers go through protobuf's Struct: numbers are doubles, and JSON has no NaN. What a double cannot hold is a string.
json::Value for_free_object(json::Value value) {
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  if (json::Array* array = value.array()) {
    for (json::Value& item : *array) item = for_free_object(std::move(item));
  } else if (json::Object* object = value.object()) {
    for (json::Member& member : *object) member.second = for_free_object(std::move(member.second));
  } else if (const json::BigInteger* big = value.big()) {
    return big->digits;
  } else if (const auto integer = value.integer(); integer && (*integer > exact || *integer < -exact)) {
    return std::to_string(*integer);
  } else if (value.is_real() && !std::isfinite(*value.real())) {
    return std::isnan(*value.real()) ? "NaN" : *value.real() > 0 ? "Infinity" : "-Infinity";
  }
  return value;
}

json::Array strings(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

void append_unless_empty(json::Object& object, const char* key, const std::string& text) {
  if (!text.empty()) object.append(key, text);
}

json::Object package(const Advisory& a, const std::string& repository) {
  return {{"ecosystem", "GIT"},
          {"name", a.repository.hub + "/" + repository},
          {"purl", model_purl(a.repository.hub, repository)}};
}

/// One closing reads from the two plain keys; several, or one that is no event, from `closings`.
json::Object range_notes(const Advisory& a) {
  json::Object notes;
  if (!a.closings.empty()) {
    notes.append("closed_by", a.closings.front().by);
    append_unless_empty(notes, "closing_advisory", a.closings.front().closing_advisory);
  }
  notes.append("observed_ref", a.observed_ref);
  if (a.closings.size() < 2 && (a.closings.empty() || a.closings.front().fixed)) return notes;
  json::Array closings;
  for (const Closing& closing : a.closings) {
    json::Object one{{"revision", closing.sha}, {"closed_by", closing.by}};
    append_unless_empty(one, "closing_advisory", closing.closing_advisory);
    if (!closing.fixed) one.append("fixed", false);
    closings.push_back(std::move(one));
  }
  notes.append("closings", std::move(closings));
  return notes;
}

json::Value range(const Advisory& a, const std::string& repository) {
  json::Array events{json::Object{{"introduced", a.introduced}}};
  for (const std::string& sha : a.reintroduced) events.push_back(json::Object{{"introduced", sha}});
  for (const Closing& closing : a.closings)
    if (closing.fixed) events.push_back(json::Object{{"fixed", closing.sha}});
  return json::Object{{"type", "GIT"},
                      {"repo", a.repository.hub + "/" + repository},
                      {"events", std::move(events)},
                      {"database_specific", range_notes(a)}};
}

json::Object state(const StateAt& at) {
  json::Object object;
  append_unless_empty(object, "revision", at.revision);
  append_unless_empty(object, "state", at.state);
  return object;
}

json::Array touched_files(const Advisory& a) {
  json::Array files;
  for (const TouchedFile& file : a.files) {
    json::Object one{{"path", file.path}};
    if (file.pointer) one.append("pointer", *file.pointer);
    append_unless_empty(one, "from_sha256", file.from_sha256);
    append_unless_empty(one, "to_sha256", file.to_sha256);
    files.push_back(std::move(one));
  }
  return files;
}

json::Object what_changed(const Advisory& a) {
  json::Object object{{"part", name(a.part)}, {"change", a.kind},   {"impact", name(a.impact)},
                      {"from", state(a.from)}, {"to", state(a.to)}, {"files", touched_files(a)}};
  if (a.files_total > a.files.size()) object.append("files_total", a.files_total);
  json::Array findings;
  for (const Finding& finding : a.findings) findings.push_back(for_free_object(to_json(finding)));
  object.append("findings", std::move(findings));
  if (a.findings_total > a.findings.size()) object.append("findings_total", a.findings_total);
  object.append("plan", for_free_object(a.plan));
  append_unless_empty(object, "reverts", a.reverts);
  append_unless_empty(object, "equals_revision", a.equals_revision);
  if (a.history_rewritten) object.append("history_rewritten", true);
  return object;
}

json::Array affected(const Advisory& a) {
  json::Array entries;
  const auto entry = [&](const std::string& repository, json::Object notes) {
    entries.push_back(json::Object{{"package", package(a, repository)},
                                   {"ranges", json::Array{range(a, repository)}},
                                   {"versions", strings(a.versions)},
                                   {"database_specific", std::move(notes)}});
  };
  entry(a.repository.name, what_changed(a));
  for (const std::string& later : a.further_names)
    entry(later, {{"part", name(a.part)}, {"change", a.kind}, {"impact", name(a.impact)}, {"renamed_from", a.repository.name}});
  return entries;
}

json::Array references(const Advisory& a, const FeedIdentity& feed) {
  json::Array list;
  const auto add = [&](const char* type, std::string url) {
    list.push_back(json::Object{{"type", type}, {"url", std::move(url)}});
  };
  add("INTRODUCED", a.repository.url() + "/commit/" + a.introduced);
  // `fixed` says that the state ended; only a return to an earlier one is a fix that a person would follow.
  for (const Closing& closing : a.closings)
    if (closing.by == "reverted") add("FIX", a.repository.url() + "/commit/" + closing.sha);
  if (!feed.public_url.empty()) add("ADVISORY", feed.public_url + "/advisories/" + a.id);
  add("PACKAGE", a.repository.url());
  for (const std::string& later : a.further_names) add("PACKAGE", a.repository.hub + "/" + later);
  return list;
}

}  // namespace

json::Value to_osv(const Advisory& a, const FeedIdentity& feed) {
  json::Object document{{"schema_version", "1.9.0"},
                        {"id", a.id},
                        {"published", rfc3339(a.published)},
                        {"modified", rfc3339(a.modified)}};
  if (a.withdrawn) document.append("withdrawn", rfc3339(*a.withdrawn));
  if (!a.related.empty()) document.append("related", strings(a.related));
  document.append("summary", summary_of(a));
  document.append("details", details_of(a));
  document.append("affected", affected(a));
  document.append("references", references(a, feed));
  document.append("credits", json::Array{json::Object{{"name", "modelwatch"}, {"type", "TOOL"}}});
  json::Object repository{{"hub", a.repository.hub}, {"id", a.repository.name}};
  append_unless_empty(repository, "hub_id", a.repository.hub_id);
  json::Object notes{{"advisory_class", "upstream-change"},
                     {"repository", std::move(repository)},
                     {"license", feed.license},
                     {"significant_at", rfc3339(a.significant_at)}};
  append_unless_empty(notes, "withdrawn_reason", a.withdrawn_reason);
  document.append("database_specific", std::move(notes));
  return document;
}

}  // namespace modelwatch::advisories
