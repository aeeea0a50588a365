#include "daemon/http/handlers.h"
#include "storage/row_json.h"

namespace modelwatch::http {
namespace {

Result<storage::ChangeFilter> filter_of(const Call& call, const Parameters& parameters) {
  storage::ChangeFilter filter;
  filter.repository = call.request.parameter("repository");
  const auto part = parameters.part("part");
  if (!part) return tl::unexpected(part.error());
  filter.part = *part;
  const auto impact = parameters.impact("impact");
  if (!impact) return tl::unexpected(impact.error());
  filter.at_least = *impact;
  if (const auto since = call.request.parameter("since")) {
    const auto cursor = call.backend.store.cursor(*since);
    if (!cursor) return tl::unexpected(cursor.error());
    filter.after = *cursor;
  }
  return filter;
}

}  // namespace

/// The stream, oldest first from the cursor on: a program that asks again with the answer's cursor misses and repeats
/// nothing.
Reply list_changes(const Call& call) {
  const Parameters parameters(call);
  if (const auto allowed = parameters.allow({"since", "repository", "part", "impact", "limit"}); !allowed)
    return error_reply(allowed.error());
  const auto limit = parameters.integer("limit", 100, 1, 1000);
  if (!limit) return error_reply(limit.error());
  const auto filter = filter_of(call, parameters);
  if (!filter) return error_reply(filter.error());
  const auto rows = call.backend.store.changes(*filter, *limit);
  if (!rows) return error_reply(rows.error());
  json::Array changes;
  for (const storage::ChangeRow& row : *rows) changes.push_back(to_json(row));
  const std::int64_t cursor = rows->empty() ? filter->after : rows->back().sequence;
  return json_reply(json::Object{{"schema", "modelwatch/changes/1"}, {"changes", std::move(changes)}, {"cursor", std::to_string(cursor)}});
}

}  // namespace modelwatch::http
