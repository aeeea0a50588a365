#include "storage/row_json.h"

#include <chrono>
#include <cstdio>

namespace modelwatch::storage {

namespace {

json::Value text_or_null(const std::string& text) { return text.empty() ? json::Value() : json::Value(text); }
json::Value time_or_null(const std::optional<Time>& time) { return time ? json::Value(to_text(*time)) : json::Value(); }

json::Array texts(const std::vector<std::string>& list) { return {list.begin(), list.end()}; }

json::Object to_json(const StoredFile& file) {
  json::Object object = {{"path", file.file.path}, {"size", file.file.size}, {"oid", file.file.oid}};
  if (file.file.lfs) object.append("sha256", text_or_null(file.file.lfs->sha256));
  if (!file.not_read.empty()) object.append("not_read", file.not_read);
  return object;
}

}  // namespace

std::string to_text(Time time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  char text[40];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02dZ", int(date.year()), unsigned(date.month()),
                unsigned(date.day()), int(clock.hours().count()), int(clock.minutes().count()), int(clock.seconds().count()));
  return text;
}

json::Object repository_json(const Tracked& tracked) {
  return {{"id", tracked.name}, {"hub_id", text_or_null(tracked.hub_id)}, {"ref", tracked.ref}, {"head", text_or_null(tracked.head)}};
}

json::Object to_json(const Tracked& tracked) {
  json::Object object = repository_json(tracked);
  object.append("history", tracked.history.revisions);
  object.append("polled", tracked.polled);
  object.append("access", tracked.access);
  object.append("misses", tracked.misses);
  object.append("last_check", time_or_null(tracked.last_check));
  object.append("last_change", time_or_null(tracked.last_change));
  object.append("last_full_read", time_or_null(tracked.last_full_read));
  object.append("next_check", time_or_null(tracked.next_check));
  object.append("last_error", text_or_null(tracked.last_error));
  return object;
}

json::Object to_json(const RevisionRow& revision) {
  json::Object parts;
  for (const auto& [part, what] : revision.parts) parts.append(std::string(name(part)), what);
  return {{"sha", revision.sha},
          {"parent", text_or_null(revision.parent)},
          {"date", to_text(revision.committed)},
          {"title", revision.title},
          {"authors", texts(revision.authors)},
          {"seen", to_text(revision.seen)},
          {"baseline", revision.baseline},
          {"rewritten", revision.rewritten},
          {"parts", std::move(parts)},
          {"impact", name(revision.impact)},
          {"advisories", texts(revision.advisories)}};
}

json::Object to_json(const ChangeRow& change) {
  return {{"sequence", change.sequence},
          {"repository", change.repository},
          {"sha", text_or_null(change.sha)},
          {"date", change.sha.empty() ? json::Value() : json::Value(to_text(change.committed))},
          {"seen", to_text(change.seen)},
          {"event", change.event},
          {"part", name(change.part)},
          {"impact", name(change.impact)},
          {"summary", change.summary},
          {"findings", change.findings},
          {"advisory", text_or_null(change.advisory)},
          {"plan", change.plan},
          {"detail", change.detail.empty() ? json::Value() : json::Value(change.detail)}};
}

json::Object to_json(const Store::RevisionDetail& detail) {
  json::Array files, changes;
  for (const StoredFile& file : detail.files) files.push_back(to_json(file));
  for (const ChangeRow& change : detail.changes) changes.push_back(to_json(change));
  return {{"repository", repository_json(detail.tracked)},
          {"revision", to_json(detail.row)},
          {"files", std::move(files)},
          {"changes", std::move(changes)},
          {"plan", detail.plan}};
}

json::Object repositories_document(const std::vector<Tracked>& tracked) {
  json::Array repositories;
  for (const Tracked& row : tracked) repositories.push_back(to_json(row));
  return {{"schema", "modelwatch/repositories/1"}, {"repositories", std::move(repositories)}};
}

json::Object revisions_document(const Tracked& tracked, const std::vector<RevisionRow>& rows, bool more) {
  json::Array revisions;
  for (const RevisionRow& row : rows) revisions.push_back(to_json(row));
  return {{"schema", "modelwatch/revisions/1"},
          {"repository", repository_json(tracked)},
          {"revisions", std::move(revisions)},
          {"cursor", more ? json::Value(rows.back().sha) : json::Value()}};
}

json::Object revision_document(const Store::RevisionDetail& detail) {
  json::Object document = {{"schema", "modelwatch/revision/1"}};
  for (auto& [key, value] : to_json(detail)) document.append(key, std::move(value));
  return document;
}

}  // namespace modelwatch::storage
