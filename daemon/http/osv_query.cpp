#include "daemon/http/osv_query.h"

#include <algorithm>
#include <charconv>

#include "advisories/manifest/digest.h"
#include "advisories/osv/package_name.h"
#include "advisories/osv/purl.h"
#include "daemon/http/ecosystems.h"
#include "estimator/json/writer.h"

namespace modelwatch::http {
namespace {

using Kind = OsvQuery::Kind;
template <class T>
using Checked = tl::expected<T, OsvError>;

tl::unexpected<OsvError> invalid(std::string message) { return tl::unexpected(OsvError{3, std::move(message)}); }

/// The strings of a query; a field of another kind is an error, a missing one is empty, as in protobuf.
struct Fields {
  std::string commit, version, token, name, ecosystem, purl;
  bool has_commit = false, has_version = false, has_package = false;
};

Checked<std::string> text(const json::Value& object, std::string_view key, std::string_view camel_case = {}) {
  const json::Value* value = object.find(key);
  if (!value && !camel_case.empty()) value = object.find(camel_case);
  if (!value || value->is_null()) return std::string();
  if (!value->string()) return invalid("invalid value for " + std::string(key) + ": a string is expected");
  return *value->string();
}

Checked<Fields> read_fields(const json::Value& query) {
  if (!query.object()) return invalid("invalid query");
  Fields fields;
  for (auto& [key, camel, to] : {std::tuple{"commit", "", &fields.commit}, {"version", "", &fields.version}, {"page_token", "pageToken", &fields.token}}) {
    auto read = text(query, key, camel);
    if (!read) return tl::unexpected(read.error());
    *to = std::move(*read);
  }
  fields.has_commit = query.find("commit") && !query.find("commit")->is_null();
  fields.has_version = query.find("version") && !query.find("version")->is_null();
  const json::Value* package = query.find("package");
  if (!package || package->is_null()) return fields;
  if (!package->object()) return invalid("invalid value for package: an object is expected");
  fields.has_package = true;
  for (auto& [key, to] : {std::pair{"name", &fields.name}, {"ecosystem", &fields.ecosystem}, {"purl", &fields.purl}}) {
    auto read = text(*package, key);
    if (!read) return tl::unexpected(read.error());
    *to = std::move(*read);
  }
  return fields;
}

Checked<OsvQuery> by_purl(const Fields& fields, const Backend& backend) {
  if (!fields.name.empty()) return invalid("name specified in a PURL query");
  if (!fields.ecosystem.empty()) return invalid("ecosystem specified in a PURL query");
  const std::string type = advisories::purl_type(fields.purl);
  if (type.empty()) return invalid("invalid PURL");
  if (type != "huggingface") return OsvQuery{};
  const auto purl = advisories::parse_model_purl(fields.purl);
  if (!purl) return invalid("invalid PURL");
  if (!purl->version.empty() && !fields.version.empty()) return invalid("version specified in params and PURL query");
  // Without repository_url a purl means the public Hub; a feed of another hub is asked about its own all the same.
  if (purl->hub != backend.hub_identity && purl->hub != advisories::kPublicHub) return OsvQuery{};
  OsvQuery query;
  query.repository = purl->repository;
  query.version = purl->version.empty() ? fields.version : purl->version;
  query.kind = query.version.empty() ? Kind::package : Kind::version;
  return query;
}

Checked<OsvQuery> by_name(const Fields& fields, const Backend& backend) {
  if (fields.name.empty() || (fields.ecosystem.empty() && fields.version.empty())) return invalid("invalid query");
  if (!fields.ecosystem.empty() && !is_ecosystem(fields.ecosystem)) return invalid("invalid ecosystem");
  const bool git = fields.ecosystem.empty() || fields.ecosystem == "GIT" || fields.ecosystem.starts_with("GIT:");
  const auto repository = git ? advisories::repository_of_git_name(fields.name, backend.hub_identity) : std::nullopt;
  if (!repository) return OsvQuery{};
  OsvQuery query;
  query.repository = *repository;
  query.version = fields.version;
  query.kind = query.version.empty() ? Kind::package : Kind::version;
  return query;
}

Checked<OsvQuery> by_commit(const Fields& fields) {
  // Stricter than osv.dev, which takes any hex and finds nothing: a short hash would read as "nothing known".
  const auto commit = advisories::full_commit(fields.commit);
  if (!commit) return invalid("invalid hash");
  OsvQuery query;
  query.kind = Kind::commit;
  query.version = *commit;
  return query;
}

std::string digest_of(const json::Value& query) {
  json::Object bare = *query.object();
  bare.erase("page_token");
  bare.erase("pageToken");
  return advisories::sha256(json::write(bare, json::Style::canonical)).substr(0, 16);
}

/// "<seconds>.<digest>.<id>": opaque to clients.
Checked<storage::Store::After> read_token(const std::string& token, const std::string& digest) {
  if (token.empty()) return storage::Store::After{};
  std::int64_t seconds = 0;
  const char* const end = token.data() + token.size();
  const auto read = std::from_chars(token.data(), end, seconds);
  const std::string rest(read.ptr, end);
  if (read.ec != std::errc() || seconds < 0 || seconds > 253402300799 || !rest.starts_with("." + digest + ".") || token.size() > 200)
    return invalid("invalid cursor");
  return storage::Store::After{{storage::Time(std::chrono::seconds(seconds)), rest.substr(digest.size() + 2)}};
}

/// The revision that a tracked ref, or a branch or tag seen at the last full read, stands for. Empty where it is none.
std::string resolved(storage::Store& store, const OsvQuery& query) {
  if (const auto tracked = store.find(query.repository, query.version)) return tracked->head;
  const auto tracked = store.find(query.repository);
  const json::Value* refs = tracked ? tracked->facts.find("refs") : nullptr;
  for (const char* prefix : {"refs/tags/", "refs/heads/", ""})
    if (const json::Value* sha = refs ? refs->find(prefix + query.version) : nullptr; sha && sha->string()) return *sha->string();
  return {};
}

}  // namespace

tl::expected<OsvQuery, OsvError> parse_query(const json::Value& document, const Backend& backend) {
  const auto fields = read_fields(document);
  if (!fields) return tl::unexpected(fields.error());
  if (fields->has_commit && fields->has_version) return invalid("commit and version are exclusive");
  auto query = fields->has_commit                              ? by_commit(*fields)
               : fields->has_package && !fields->purl.empty() ? by_purl(*fields, backend)
                                                              : by_name(*fields, backend);
  if (!query) return query;
  query->digest = digest_of(document);
  auto after = read_token(fields->token, query->digest);
  if (!after) return tl::unexpected(after.error());
  query->after = std::move(*after);
  return query;
}

std::string page_token(const OsvQuery& query, const std::pair<storage::Time, std::string>& key) {
  return std::to_string(key.first.time_since_epoch().count()) + "." + query.digest + "." + key.second;
}

tl::expected<OsvPage, OsvError> answer(const OsvQuery& query, const Backend& backend, int limit) {
  OsvPage answer;
  std::string version = query.version;
  if (query.kind == Kind::version) {
    if (const auto commit = advisories::full_commit(version)) version = *commit;
    else if (std::string sha = resolved(backend.store, query); !sha.empty()) version = answer.resolved_revision = std::move(sha);
  }
  Result<storage::DocumentPage> page = storage::DocumentPage{};
  if (query.kind == Kind::commit) page = backend.store.advisories_by_commit(version, query.after, limit);
  if (query.kind == Kind::version) page = backend.store.advisories_by_version(query.repository, version, query.after, limit);
  if (query.kind == Kind::package) page = backend.store.advisories_by_package(query.repository, query.after, limit);
  if (!page) return tl::unexpected(OsvError{13, page.error().message});
  answer.page = std::move(*page);
  if (query.kind == Kind::commit || query.kind == Kind::version) {
    const auto known = backend.store.knows_commit(version);
    if (!known) return tl::unexpected(OsvError{13, known.error().message});
    answer.revision_known = *known;
  }
  return answer;
}

Reply osv_error(const OsvError& error) {
  const int status = error.code == 5 ? 404 : error.code == 13 ? 500 : 400;
  return json_reply(json::Object{{"code", error.code}, {"message", error.message}}, status);
}

}  // namespace modelwatch::http
