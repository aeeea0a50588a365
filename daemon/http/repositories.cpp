#include <algorithm>
#include <limits>

#include "daemon/http/handlers.h"
#include "storage/row_json.h"

namespace modelwatch::http {
namespace {

using storage::RevisionRow;

constexpr int kMostRows = 1000, kStep = 200;  // rows of an answer, rows read at once where a filter may drop most

/// Whether something changed in the part, and gravely enough.
bool is_wanted(const RevisionRow& row, std::optional<advisories::Part> part, std::optional<advisories::Impact> impact) {
  if (impact && row.impact < *impact) return false;
  return !part || std::any_of(row.parts.begin(), row.parts.end(),
                              [&](const auto& one) { return one.first == *part && one.second != "same"; });
}

/// "main" where none is asked for.
std::string ref_of(const Parameters& parameters) {
  const std::string ref = parameters.text("ref");
  return ref.empty() ? "main" : ref;
}

}  // namespace

Reply health(const Call& call) {
  if (const auto allowed = Parameters(call).allow({}); !allowed) return error_reply(allowed.error());
  const auto known = call.backend.store.knows_commit(std::string(40, '0'));  // the cheapest question that reaches the file
  if (!known) return error_reply(known.error());
  Reply reply = json_reply(json::Object{{"status", "ok"}, {"schema_version", call.backend.store.schema_version()}});
  reply.headers.emplace_back("Cache-Control", "no-store");
  return reply;
}

Reply list_repositories(const Call& call) {
  const Parameters parameters(call);
  if (const auto allowed = parameters.allow({"limit", "cursor"}); !allowed) return error_reply(allowed.error());
  const auto limit = parameters.integer("limit", 100, 1, kMostRows);
  if (!limit) return error_reply(limit.error());
  const auto after = parameters.integer("cursor", 0, 0, std::numeric_limits<int>::max());
  if (!after) return error_reply(after.error());
  return repositories_page(call.backend.store.tracked(*after, *limit + 1), *limit);
}

Reply repositories_page(Result<std::vector<storage::Tracked>> rows, int limit) {
  if (!rows) return error_reply(rows.error());
  const bool more = rows->size() > static_cast<std::size_t>(limit);
  if (more) rows->pop_back();
  json::Object document = storage::repositories_document(*rows);
  document.append("cursor", more ? json::Value(std::to_string(rows->back().id)) : json::Value());
  return json_reply(document);
}

Reply show_repository(const Call& call) {
  const Parameters parameters(call);
  if (const auto allowed = parameters.allow({"ref"}); !allowed) return error_reply(allowed.error());
  const auto tracked = call.backend.store.find(call.path.at("repo"), ref_of(parameters));
  if (!tracked) return error_reply(tracked.error());
  json::Object document = {{"schema", "modelwatch/repository/1"}};
  for (auto& [key, value] : to_json(*tracked)) document.append(key, std::move(value));
  document.append("facts", tracked->facts);
  return json_reply(document);
}

Reply list_revisions(const Call& call) {
  const Parameters parameters(call);
  if (const auto allowed = parameters.allow({"ref", "limit", "cursor", "part", "impact"}); !allowed) return error_reply(allowed.error());
  const auto limit = parameters.integer("limit", 50, 1, kMostRows);
  if (!limit) return error_reply(limit.error());
  const auto part = parameters.part("part");
  if (!part) return error_reply(part.error());
  const auto impact = parameters.impact("impact");
  if (!impact) return error_reply(impact.error());
  const auto tracked = call.backend.store.find(call.path.at("repo"), ref_of(parameters));
  if (!tracked) return error_reply(tracked.error());

  // Read on until the page is full: what a filter leaves out is no reason for a short one.
  const int step = *part || *impact ? kStep : *limit + 1;
  std::vector<RevisionRow> page;
  std::string before = parameters.text("cursor");
  for (bool end = false; !end;) {
    auto rows = call.backend.store.revisions(call.path.at("repo"), tracked->ref, step, before);
    if (!rows) return error_reply(rows.error());
    for (RevisionRow& row : *rows) {
      before = row.sha;
      if (!is_wanted(row, *part, *impact)) continue;
      if (page.size() == static_cast<std::size_t>(*limit)) return json_reply(storage::revisions_document(*tracked, page, true));
      page.push_back(std::move(row));
    }
    end = rows->size() < static_cast<std::size_t>(step);
  }
  return json_reply(storage::revisions_document(*tracked, page, false));
}

Reply show_revision(const Call& call) {
  const Parameters parameters(call);
  if (const auto allowed = parameters.allow({}); !allowed) return error_reply(allowed.error());
  const auto detail = call.backend.store.revision(call.path.at("repo"), call.path.at("revision"));
  if (!detail) return error_reply(detail.error());
  return json_reply(storage::revision_document(*detail));
}

}  // namespace modelwatch::http
