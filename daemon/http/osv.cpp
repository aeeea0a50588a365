#include "daemon/http/conditional.h"
#include "daemon/http/handlers.h"
#include "daemon/http/osv_query.h"
#include "estimator/json/reader.h"
#include "estimator/json/writer.h"
#include "storage/row_json.h"

namespace modelwatch::http {
namespace {

constexpr int kPage = 1000;                      // records a query
constexpr int kBatchTotal = 3000;                // records a batch
constexpr std::size_t kBatchQueries = 1000;
constexpr std::size_t kPageBytes = 10u << 20;    // a page of long documents ends earlier

/// Bodies are read whatever their Content-Type is: OSV clients send none, or that of a form.
tl::expected<json::Value, OsvError> read_body(const Request& request) {
  auto document = json::read(request.body, {.depth = 16, .values = 20'000});
  if (!document) return tl::unexpected(OsvError{3, "the body is not JSON: " + document.error().to_string()});
  return std::move(document->value);
}

/// Drops what would make the page too long; its last record is then the key of the next page.
void cut(storage::DocumentPage& page) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < page.rows.size(); ++i) {
    bytes += page.rows[i].document.size();
    if (bytes <= kPageBytes || i == 0) continue;
    page.rows.resize(i);
    page.next = {page.rows.back().modified, page.rows.back().id};
  }
}

}  // namespace

Reply osv_query(const Call& call) {
  const auto body = read_body(call.request);
  if (!body) return osv_error(body.error());
  const auto query = parse_query(*body, call.backend);
  if (!query) return osv_error(query.error());
  auto found = answer(*query, call.backend, kPage);
  if (!found) return osv_error(found.error());
  cut(found->page);
  // The documents are put in as they are stored, byte for byte.
  std::string vulns;
  for (const storage::DocumentRow& row : found->page.rows) (vulns += vulns.empty() ? "" : ",") += row.document;
  Reply reply;
  reply.body = "{";
  if (!vulns.empty()) reply.body += "\"vulns\":[" + vulns + "]";
  if (found->page.next) {
    reply.body += vulns.empty() ? "" : ",";
    reply.body += "\"next_page_token\":" + json::write(json::Value(page_token(*query, *found->page.next)));
  }
  reply.body += "}";
  if (found->revision_known) reply.headers.emplace_back("X-Revision-Known", *found->revision_known ? "true" : "false");
  if (!found->resolved_revision.empty()) reply.headers.emplace_back("X-Resolved-Revision", found->resolved_revision);
  return reply;
}

Reply osv_query_batch(const Call& call) {
  const auto body = read_body(call.request);
  if (!body) return osv_error(body.error());
  const json::Value* queries = body->find("queries");
  if (!queries || !queries->array()) return osv_error({3, "invalid query"});
  if (queries->array()->size() > kBatchQueries) return osv_error({3, "too many queries"});
  json::Array results;
  int left = kBatchTotal;
  for (const json::Value& item : *queries->array()) {
    const std::string where = "error in query at index " + std::to_string(results.size()) + ": ";
    const auto query = parse_query(item, call.backend);
    if (!query) return osv_error({query.error().code, where + query.error().message});
    json::Object result;
    const auto found = answer(*query, call.backend, std::max(1, std::min(kPage, left)));
    if (!found) return osv_error({found.error().code, where + found.error().message});
    json::Array vulns;
    for (const storage::DocumentRow& row : found->page.rows)
      vulns.push_back(json::Object{{"id", row.id}, {"modified", storage::to_text(row.modified)}});
    left -= static_cast<int>(vulns.size());
    if (!vulns.empty()) result.append("vulns", std::move(vulns));
    if (found->page.next) result.append("next_page_token", page_token(*query, *found->page.next));
    results.push_back(std::move(result));
  }
  return json_reply(json::Object{{"results", std::move(results)}});
}

Reply osv_record(const Call& call) {
  const std::string& id = call.path.at("id");
  if (id.size() > 100) return osv_error({3, "ID is too long"});
  const auto row = call.backend.store.advisory(id);
  if (!row) return osv_error(row.error().kind == ErrorKind::not_found ? OsvError{5, "Vulnerability not found"} : OsvError{13, row.error().message});
  Reply reply;
  reply.body = row->document;
  reply.headers.emplace_back("Last-Modified", http_date(row->modified));
  return reply;
}

}  // namespace modelwatch::http
