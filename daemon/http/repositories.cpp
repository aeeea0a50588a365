#include "daemon/http/handlers.h"
#include "storage/row_json.h"

namespace modelwatch::http {

Reply health(const Call& call) {
  const auto known = call.backend.store.knows_commit(std::string(40, '0'));  // the cheapest question that reaches the file
  if (!known) return error_reply(known.error());
  return json_reply(json::Object{{"status", "ok"}, {"schema_version", call.backend.store.schema_version()}});
}

Reply list_repositories(const Call& call) {
  const auto tracked = call.backend.store.tracked();
  if (!tracked) return error_reply(tracked.error());
  return json_reply(storage::repositories_document(*tracked));
}

Reply list_revisions(const Call& call) {
  const auto limit = bounded_parameter(call.request, "limit", 50, 1, 1000);
  if (!limit) return error_reply(limit.error());
  const auto tracked = call.backend.store.find(call.repository, call.request.parameter("ref").value_or("main"));
  if (!tracked) return error_reply(tracked.error());
  auto rows = call.backend.store.revisions(call.repository, tracked->ref, *limit + 1, call.request.parameter("cursor").value_or(""));
  if (!rows) return error_reply(rows.error());
  const bool more = rows->size() > static_cast<std::size_t>(*limit);
  if (more) rows->pop_back();
  return json_reply(storage::revisions_document(*tracked, *rows, more));
}

}  // namespace modelwatch::http
