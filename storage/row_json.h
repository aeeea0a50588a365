#pragma once
#include <string>
#include <vector>

#include "estimator/json/value.h"
#include "storage/store.h"

namespace modelwatch::storage {

/// Rows as the command line and the API print them (docs/json.md). Pure. Absent texts and times are null.
json::Object to_json(const Tracked& tracked);
json::Object to_json(const RevisionRow& revision);
json::Object to_json(const ChangeRow& change);
json::Object to_json(const Store::RevisionDetail& detail);
/// `{"id", "hub_id", "ref", "head"}`: a repository as the head of a list of its revisions names it.
json::Object repository_json(const Tracked& tracked);

/// The documents of `repo list` and of `revisions`; `more` where older revisions follow, after the last one shown.
json::Object repositories_document(const std::vector<Tracked>& tracked);
json::Object revisions_document(const Tracked& tracked, const std::vector<RevisionRow>& rows, bool more);
/// The document of `revisions show`.
json::Object revision_document(const Store::RevisionDetail& detail);

/// RFC 3339 in UTC: "2026-10-03T09:12:04Z".
std::string to_text(Time time);

}  // namespace modelwatch::storage
