#include <strings.h>

#include <algorithm>

#include "estimator/json/reader.h"
#include "estimator/json/writer.h"
#include "tests/hub/git/digest.h"
#include "tests/hub/routes/info_fields.h"
#include "tests/hub/routes/paging.h"
#include "tests/hub/routes/replies.h"
#include "tests/hub/routes/routes.h"

namespace modelwatch::testhub {
namespace {

struct Row {
  std::int64_t key = 0;  ///< what the list is sorted by, largest first
  const Repository* repository = nullptr;

  friend bool operator<(const Row& a, const Row& b) {
    return a.key != b.key ? a.key > b.key : a.repository->id < b.repository->id;
  }
};

using Key = std::int64_t (*)(const Repository&);

std::int64_t last_modified(const Repository& repository) {
  const CommitPtr head = repository.head();
  return (head ? head->date : repository.created).time_since_epoch().count();
}

Key key_of(const std::string& sort) {
  if (sort == "lastModified" || sort == "last_modified") return last_modified;
  if (sort == "createdAt" || sort == "created_at")
    return [](const Repository& r) { return r.created.time_since_epoch().count(); };
  if (sort == "downloads") return [](const Repository& r) { return r.downloads; };
  if (sort == "likes") return [](const Repository& r) { return r.likes; };
  if (sort.empty() || sort == "trendingScore" || sort == "trending_score")
    return [](const Repository&) { return std::int64_t{0}; };
  return nullptr;
}

bool contains_word(const std::string& name, const std::string& word) {
  const auto same = [](char a, char b) { return ::tolower(a) == ::tolower(b); };
  return std::search(name.begin(), name.end(), word.begin(), word.end(), same) != name.end();
}

bool wanted(const Context& context, const Repository& repository) {
  const Query& query = context.target.query;
  if (!context.world.may_see(context.user, repository)) return false;
  if (const std::string* author = query.find("author");
      author && ::strcasecmp(author->c_str(), repository.space().c_str()) != 0)
    return false;
  for (const std::string& word : query.all("search"))
    if (!contains_word(repository.name, word)) return false;
  const std::vector<std::string> filters = query.all("filter");
  if (filters.empty()) return true;
  const CommitPtr head = repository.head();
  const std::vector<std::string> tags = head ? summarize(*head->tree).tags : std::vector<std::string>();
  return std::all_of(filters.begin(), filters.end(), [&](const std::string& tag) {
    return std::find(tags.begin(), tags.end(), tag) != tags.end();
  });
}

/// Without expand a list says little: neither sha nor lastModified, unless full=true.
json::Value plain_row(const InfoFields& fields, bool full) {
  json::Object out;
  for (const char* name : {"_id", "id", "likes", "private", "downloads", "tags", "pipeline_tag",
                           "library_name", "createdAt", "modelId"})
    if (auto value = fields.value(name)) out.append(name, std::move(*value));
  if (!full) return out;
  for (const char* name : {"author", "gated", "lastModified", "sha", "siblings"})
    if (auto value = fields.value(name)) out.append(name, std::move(*value));
  return out;
}

std::string cursor_of(const Row& row) {
  return base64(json::write(json::Object{{"key", row.key}, {"_id", row.repository->id}}));
}

/// Rows behind the cursor's: the list may have changed since, the order has not.
tl::expected<std::vector<Row>::iterator, Reply> seek(std::vector<Row>& rows, const std::string& cursor) {
  const auto read = json::read(base64_decode(cursor));
  const json::Value* key = read ? read->value.find("key") : nullptr;
  const json::Value* id = read ? read->value.find("_id") : nullptr;
  if (!key || !key->integer() || !id || !id->string())
    return tl::unexpected(api_error(400, "Invalid cursor"));
  return std::partition_point(rows.begin(), rows.end(), [&](const Row& row) {
    return row.key != *key->integer() ? row.key > *key->integer() : row.repository->id <= *id->string();
  });
}

}  // namespace

Reply list_models(Context& context) {
  if (context.bad_token) return api_error(401, "Invalid username or password.");
  const Query& query = context.target.query;
  const auto expand = expanded_fields(query);
  if (!expand) return expand.error();
  const auto limit = page_limit(context, 1000, 1000);
  if (!limit) return limit.error();
  const Key key = key_of(query.find("sort") ? *query.find("sort") : "");
  if (!key) return api_error(400, "Invalid sort parameter");

  std::vector<Row> rows;
  context.world.each([&](const Repository& repository) {
    if (wanted(context, repository)) rows.push_back({key(repository), &repository});
  });
  std::sort(rows.begin(), rows.end());
  auto at = rows.begin();
  if (const std::string* cursor = query.find("cursor")) {
    const auto found = seek(rows, *cursor);
    if (!found) return found.error();
    at = *found;
  }
  json::Array list;
  for (; at != rows.end() && list.size() < *limit; ++at) {
    const InfoFields fields(*at->repository, at->repository->head());
    if (expand->empty())
      list.push_back(plain_row(fields, query.flag("full")));
    else
      list.push_back(expanded_info(fields, *at->repository, *expand));
  }
  Reply reply = json_reply(list);
  if (at != rows.end()) {
    Query next = query;
    next.set("cursor", cursor_of(*std::prev(at)));
    add_next_link(reply, context, next);
  }
  return reply;
}

}  // namespace modelwatch::testhub
