#include "daemon/http/routes.h"

#include <algorithm>

#include "advisories/osv/package_name.h"
#include "daemon/http/conditional.h"
#include "daemon/http/handlers.h"
#include "daemon/http/osv_query.h"

namespace modelwatch::http {
namespace {

struct Route {
  std::string_view method;  ///< GET takes HEAD too
  /// {repo} stands for two segments where that fits, else for one, as old repositories have it; {id} for the rest of the
  /// path; any other placeholder for one segment. Text may follow a placeholder. The first route that fits counts.
  std::string_view pattern;
  Reply (*answer)(const Call&);
};

constexpr Route kRoutes[] = {
    {"GET", "/healthz", health},
    {"GET", "/api/v1/openapi.json", openapi},
    {"GET", "/api/v1/repos", list_repositories},
    {"GET", "/api/v1/repos/{repo}/revisions", list_revisions},
    {"GET", "/api/v1/repos/{repo}/revisions/{revision}", show_revision},
    {"GET", "/api/v1/repos/{repo}/revisions/{revision}/lint", lint_revision},
    {"GET", "/api/v1/repos/{repo}/compare", compare_revisions},
    {"GET", "/api/v1/repos/{repo}", show_repository},
    {"GET", "/api/v1/changes", list_changes},
    {"GET", "/api/v1/advisories", list_advisories},
    {"GET", "/api/v1/blobs/{digest}", find_blob},
    {"GET", "/api/v1/derived", list_derived},
    {"POST", "/api/v1/plan", make_plan},
    {"POST", "/v1/query", osv_query},
    {"POST", "/v1/querybatch", osv_query_batch},
    {"GET", "/v1/vulns/{id}", osv_record},
    {"GET", "/feed.atom", atom_of_all},
    {"GET", "/feed/repository/{repo}.atom", atom_of_repository},
    {"GET", "/feed/impact/{impact}.atom", atom_of_impact},
    {"GET", "/badge/{repo}.svg", badge_svg},
    {"GET", "/badge/{repo}.json", badge_json},
};

using Path = std::map<std::string, std::string, std::less<>>;

bool fits(std::string_view pattern, std::string_view path, Path& found);

/// Whether the placeholder at the start of `pattern` can stand for the first `length` bytes of `path`, and the rest fits.
bool takes(std::string_view pattern, std::string_view path, std::size_t length, Path& found) {
  const std::size_t close = pattern.find('}');
  const std::string_view name = pattern.substr(1, close - 1), value = path.substr(0, length);
  if (value.empty() || (name == "repo" && !advisories::is_repository_name(value))) return false;
  if (!fits(pattern.substr(close + 1), path.substr(length), found)) return false;
  found[std::string(name)] = value;
  return true;
}

bool fits(std::string_view pattern, std::string_view path, Path& found) {
  const std::size_t open = std::min(pattern.find('{'), pattern.size());
  if (pattern.substr(0, open) != path.substr(0, open)) return false;
  pattern.remove_prefix(open);
  path.remove_prefix(open);
  if (pattern.empty()) return path.empty();
  if (pattern.starts_with("{id}")) return takes(pattern, path, path.size(), found);

  // Text behind a placeholder, as ".svg", ends it; without any it ends with its segment.
  const auto literal = pattern.substr(pattern.find('}') + 1, 1);
  const auto end_of = [&](std::size_t from) {
    const std::size_t slash = std::min(path.find('/', from), path.size());
    if (literal.empty() || literal == "/") return slash;
    const std::size_t last = path.substr(0, slash).rfind(literal);
    return last == path.npos || last < from ? path.npos : last;
  };
  const std::size_t slash = path.find('/');
  if (pattern.starts_with("{repo}") && slash != path.npos) {
    const std::size_t two = end_of(slash + 1);
    if (two != path.npos && takes(pattern, path, two, found)) return true;
  }
  const std::size_t one = end_of(0);
  return one != path.npos && takes(pattern, path, one, found);
}

bool is_osv(const Request& request) { return request.path.starts_with("/v1/"); }

Reply not_allowed(const Request& request, const std::string& allowed) {
  const std::string why = "the address does not take " + request.method;
  Reply reply = is_osv(request) ? osv_error({12, why}) : json_reply(json::Object{{"error", why}, {"try", allowed}});
  reply.status = 405;
  reply.headers.emplace_back("Allow", allowed);
  return reply;
}

Reply dispatch(const Request& request, const Backend& backend) {
  const std::string_view method = request.method == "HEAD" ? std::string_view("GET") : std::string_view(request.method);
  std::string allowed;
  for (const Route& candidate : kRoutes) {
    Call call{request, backend, {}};
    if (!fits(candidate.pattern, request.path, call.path)) continue;
    if (candidate.method == method) return candidate.answer(call);
    allowed = candidate.method == "GET" ? "GET, HEAD" : std::string(candidate.method);
  }
  if (!allowed.empty()) return not_allowed(request, allowed);
  return is_osv(request) ? osv_error({5, "no such address"})
                         : error_reply({ErrorKind::not_found, "no such address", "/api/v1/repos"});
}

}  // namespace

std::vector<std::string> route_names() {
  std::vector<std::string> names;
  for (const Route& known : kRoutes) names.push_back(std::string(known.method) + " " + std::string(known.pattern));
  return names;
}

Reply route(const Request& request, const Backend& backend) {
  Reply reply = dispatch(request, backend);
  reply.headers.emplace_back("X-Content-Type-Options", "nosniff");
  return conditional(request, std::move(reply));
}

}  // namespace modelwatch::http
