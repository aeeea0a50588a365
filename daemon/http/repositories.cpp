#include <limits>

#include "daemon/http/handlers.h"
#include "storage/row_json.h"

namespace modelwatch::http {
namespace {

constexpr int kMostRows = 1000;

/// "main" where none is asked for.
std::string ref_of(const Parameters& parameters) {
  const std::string ref = parameters.text("ref");
  return ref.empty() ? "main" : ref;
}

}  // namespace

Reply health(const Call& call) {
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
  auto rows = call.backend.store.tracked(*after, *limit + 1);
  if (!rows) return error_reply(rows.error());
  const bool more = rows->size() > static_cast<std::size_t>(*limit);
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
  if (const auto allowed = parameters.allow({"ref", "limit", "cursor"}); !allowed) return error_reply(allowed.error());
  const auto limit = parameters.integer("limit", 50, 1, kMostRows);
  if (!limit) return error_reply(limit.error());
  const auto tracked = call.backend.store.find(call.path.at("repo"), ref_of(parameters));
  if (!tracked) return error_reply(tracked.error());
  auto rows = call.backend.store.revisions(call.path.at("repo"), tracked->ref, *limit + 1, parameters.text("cursor"));
  if (!rows) return error_reply(rows.error());
  const bool more = rows->size() > static_cast<std::size_t>(*limit);
  if (more) rows->pop_back();
  return json_reply(storage::revisions_document(*tracked, *rows, more));
}

Reply show_revision(const Call& call) {
  const Parameters parameters(call);
  if (const auto allowed = parameters.allow({}); !allowed) return error_reply(allowed.error());
  const auto detail = call.backend.store.revision(call.path.at("repo"), call.path.at("revision"));
  if (!detail) return error_reply(detail.error());
  return json_reply(storage::revision_document(*detail));
}

}  // namespace modelwatch::http
