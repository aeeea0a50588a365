#include <charconv>

#include "daemon/http/handlers.h"
#include "estimator/json/writer.h"

namespace modelwatch::http {
namespace {

constexpr int kMostRows = 500;

/// "<seconds>.<id>" of the last row of the page before.
std::string cursor_of(const std::pair<storage::Time, std::string>& key) {
  return std::to_string(key.first.time_since_epoch().count()) + "." + key.second;
}

Result<storage::Store::After> read_cursor(const std::string& cursor) {
  if (cursor.empty()) return storage::Store::After{};
  std::int64_t seconds = 0;
  const char* const end = cursor.data() + cursor.size();
  const auto read = std::from_chars(cursor.data(), end, seconds);
  if (read.ec != std::errc() || read.ptr == end || *read.ptr != '.' || seconds < 0)
    return fail(ErrorKind::usage, "cursor is none of ours", "the cursor of the page before, as it is");
  return storage::Store::After{{storage::Time(std::chrono::seconds(seconds)), std::string(read.ptr + 1, end)}};
}

}  // namespace

/// In the feed's order, withdrawn ones too; the documents are put in as they are stored, byte for byte.
Reply list_advisories(const Call& call) {
  const Parameters parameters(call);
  if (const auto allowed = parameters.allow({"repository", "limit", "cursor"}); !allowed) return error_reply(allowed.error());
  const auto limit = parameters.integer("limit", 50, 1, kMostRows);
  if (!limit) return error_reply(limit.error());
  const auto after = read_cursor(parameters.text("cursor"));
  if (!after) return error_reply(after.error());
  const std::string repository = parameters.text("repository");
  if (!repository.empty())
    if (const auto known = call.backend.store.find(repository); !known) return error_reply(known.error());
  const auto page = call.backend.store.documents(repository, *after, *limit);
  if (!page) return error_reply(page.error());
  Reply reply;
  reply.body = R"({"schema":"modelwatch/advisories/1","advisories":[)";
  for (const storage::DocumentRow& row : page->rows) (reply.body += &row == page->rows.data() ? "" : ",") += row.document;
  reply.body += "],\"cursor\":" + json::write(page->next ? json::Value(cursor_of(*page->next)) : json::Value()) + "}";
  return reply;
}

}  // namespace modelwatch::http
