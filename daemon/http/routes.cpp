#include "daemon/http/routes.h"

#include <charconv>

#include "advisories/manifest/digest.h"
#include "advisories/osv/package_name.h"
#include "daemon/http/handlers.h"

namespace modelwatch::http {
namespace {

struct Route {
  std::string_view method;   ///< GET takes HEAD too
  std::string_view pattern;  ///< {repo}: one or two segments; {id}: the rest of the path
  Reply (*answer)(const Call&);
};

constexpr Route kRoutes[] = {
    {"GET", "/healthz", health},
    {"GET", "/api/v1/repos", list_repositories},
    {"GET", "/api/v1/repos/{repo}/revisions", list_revisions},
    {"GET", "/api/v1/changes", list_changes},
    {"POST", "/api/v1/plan", make_plan},
    {"POST", "/v1/query", osv_query},
    {"POST", "/v1/querybatch", osv_query_batch},
    {"GET", "/v1/vulns/{id}", osv_record},
    {"GET", "/badge/{repo}.svg", badge_svg},
    {"GET", "/badge/{repo}.json", badge_json},
};

/// Fills `call` from the path where the pattern fits it.
bool fits(std::string_view pattern, std::string_view path, Call& call) {
  const std::size_t open = pattern.find('{');
  if (open == pattern.npos) return pattern == path;
  const std::size_t close = pattern.find('}', open);
  const std::string_view head = pattern.substr(0, open), name = pattern.substr(open + 1, close - open - 1), tail = pattern.substr(close + 1);
  if (path.size() < head.size() + tail.size() || !path.starts_with(head) || !path.ends_with(tail)) return false;
  const std::string_view taken = path.substr(head.size(), path.size() - head.size() - tail.size());
  if (name == "repo") {
    if (!advisories::is_repository_name(taken)) return false;
    call.repository = taken;
  } else {
    call.id = taken;
  }
  return true;
}

Reply dispatch(const Request& request, const Backend& backend) {
  const std::string_view method = request.method == "HEAD" ? std::string_view("GET") : std::string_view(request.method);
  std::string allowed;
  for (const Route& candidate : kRoutes) {
    Call call{request, backend, {}, {}};
    if (!fits(candidate.pattern, request.path, call)) continue;
    if (candidate.method == method) return candidate.answer(call);
    allowed = candidate.method == "GET" ? "GET, HEAD" : std::string(candidate.method);
  }
  if (allowed.empty()) return error_reply({ErrorKind::not_found, "no such address", "/api/v1/repos"});
  Reply reply = json_reply(json::Object{{"error", "the address does not take " + request.method}, {"try", allowed}}, 405);
  reply.headers.emplace_back("Allow", allowed);
  return reply;
}

/// Whether an If-None-Match header names this strong tag, or any.
bool names(std::string_view header, std::string_view tag) {
  while (!header.empty()) {
    std::string_view item = header.substr(0, header.find(','));
    header.remove_prefix(std::min(header.size(), item.size() + 1));
    while (item.starts_with(' ')) item.remove_prefix(1);
    while (item.ends_with(' ')) item.remove_suffix(1);
    if (item.starts_with("W/")) item.remove_prefix(2);
    if (item == tag || item == "*") return true;
  }
  return false;
}

}  // namespace

Reply route(const Request& request, const Backend& backend) {
  Reply reply = dispatch(request, backend);
  reply.headers.emplace_back("X-Content-Type-Options", "nosniff");
  if (reply.status != 200 || (request.method != "GET" && request.method != "HEAD")) return reply;
  const std::string tag = '"' + advisories::sha256(reply.body).substr(0, 32) + '"';
  reply.headers.emplace_back("ETag", tag);
  if (names(request.header("if-none-match"), tag)) {
    reply.status = 304;
    reply.body.clear();
  }
  return reply;
}

Result<int> bounded_parameter(const Request& request, std::string_view name, int standard, int least, int most) {
  const auto text = request.parameter(name);
  if (!text) return standard;
  int number = 0;
  const auto read = std::from_chars(text->data(), text->data() + text->size(), number);
  if (read.ec != std::errc() || read.ptr != text->data() + text->size() || number < least || number > most) {
    const std::string range = std::to_string(least) + " to " + std::to_string(most);
    return fail(ErrorKind::bad_input, std::string(name) + " is no number from " + range, std::string(name) + "=" + std::to_string(standard));
  }
  return number;
}

}  // namespace modelwatch::http
