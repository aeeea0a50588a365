#include <algorithm>
#include <array>

#include "tests/hub/routes/file_body.h"
#include "tests/hub/routes/replies.h"
#include "tests/hub/routes/routes.h"
#include "tests/hub/signing.h"

namespace modelwatch::testhub {
namespace {

/// Readable in a gated repository without access, at the root and through /resolve/ only.
bool is_free_name(const std::string& path) {
  static constexpr std::array<std::string_view, 4> names = {"README.md", "LICENSE", "LICENSE.md",
                                                            "LICENSE.txt"};
  return std::find(names.begin(), names.end(), path) != names.end();
}

bool is_text(const Content& content) {
  return content.read(0, 8'000).find('\0') == std::string_view::npos;
}

bool matches_etag(const Request& request, const std::string& oid) {
  const std::string* wanted = request.headers.find("if-none-match");
  return wanted && (*wanted == "*" || wanted->find(oid) != std::string::npos);
}

/// A plain file's bytes: the last hop of a redirect, or at once.
Reply plain_file(const Context& context, const std::string& path, const Content& content,
                 const std::string& oid, const std::string& sha, bool conditional) {
  Reply reply;
  reply.headers = {
      {"content-type", is_text(content) ? "text/plain; charset=utf-8" : "application/octet-stream"},
      {"content-disposition", content_disposition(path)},
      {"etag", "\"" + oid + "\""},
      {"x-repo-commit", sha},
      {"accept-ranges", "bytes"},
      {"content-security-policy", "default-src 'none'; sandbox"}};
  if (conditional && matches_etag(context.request, oid)) {
    reply.status = 304;
    reply.headers.erase("content-type");
    return reply;
  }
  put_content(reply, content, context.request,
              context.world.behaviour.ignore_range || context.fault.ignore_range);
  return reply;
}

Reply to_cache(const Context& context, const Repository& repository, const std::string& path,
               const Blob& blob, const std::string& sha) {
  const std::string asked = context.target.path;
  const std::string etag = "\"" + blob.oid + "\"";
  Reply reply = redirect_reply(307, "/api/resolve-cache/models/" + percent_encode_path(repository.name) +
                                        "/" + sha + "/" + percent_encode_path(path) + "?" +
                                        percent_encode(asked) + "=&etag=" + percent_encode(etag));
  reply.headers.set("x-repo-commit", sha);
  reply.headers.set("accept-ranges", "bytes");
  if (context.world.behaviour.linked_etag_on_redirect) reply.headers.set("x-linked-etag", etag);
  reply.headers.set("content-disposition", content_disposition(path));
  return reply;
}

Reply to_cdn(const Context& context, const Repository& repository, const std::string& path, const Blob& blob,
             const std::string& sha) {
  const World& world = context.world;
  Grant grant{.path = "/xet-bridge-us/" + repository.id + "/" + blob.xet_hash,
              .file_name = path.substr(path.rfind('/') + 1),
              .user = context.user ? context.user->name : "",
              .expires = world.clock.seconds() + world.behaviour.url_lifetime};
  if (const std::string* range = context.request.headers.find("range"); range && world.behaviour.pin_ranges)
    grant.range = *range;
  const bool ollama = context.request.headers.value("user-agent").starts_with("ollama/");
  Reply reply = redirect_reply(ollama ? 307 : 302, sign_url(world.signing_key, world.cdn_url, grant));
  reply.headers.set("x-repo-commit", sha);
  reply.headers.set("x-linked-size", std::to_string(blob.content.size()));
  reply.headers.set("x-linked-etag", "\"" + blob.lfs->sha256 + "\"");
  reply.headers.set("accept-ranges", "bytes");
  reply.headers.set("cache-control", "no-store");
  reply.headers.set("content-disposition", content_disposition(path));
  if (world.behaviour.xet_headers) {
    reply.headers.set("x-xet-hash", blob.xet_hash);
    reply.headers.set("link", "<" + world.public_base() + "/api/models/" + repository.name +
                                  "/xet-read-token/" + sha + ">; rel=\"xet-auth\", <" + world.cdn_url +
                                  "/v1/reconstructions/" + blob.xet_hash +
                                  ">; rel=\"xet-reconstruction-info\"");
  }
  return reply;
}

Reply entry_not_found(const std::string& sha) {
  Reply reply = text_error(404, "Entry not found", "EntryNotFound");
  reply.headers.set("x-repo-commit", sha);
  return reply;
}

/// Case B: these answer with the bytes at once.
bool answers_directly(const Context& context, const Repository& repository, const Blob& blob) {
  return !context.world.behaviour.redirect_plain_files || repository.is_private ||
         repository.gate != Gate::open || blob.content.size() == 0 || repository.space().empty();
}

}  // namespace

Reply resolve_file(Context& context, const Place& place) {
  std::size_t at = place.end + 1;
  const std::string revision = take_revision(context.target, at);
  const std::string path = join_from(context.target, at);
  const bool raw = context.target.segments[place.end] == "raw";
  const auto repository = admit(context, place, !raw && is_free_name(path) ? Need::content : Need::access);
  if (!repository) return repository.error();
  const auto commit = find_revision(context, **repository, revision, true);
  if (!commit) return commit.error();
  const std::string& sha = (*commit)->id;
  const BlobPtr* found = (*commit)->tree->find(path);
  if (!found) return entry_not_found(sha);
  const Blob& blob = **found;
  if (raw)
    return plain_file(context, path, blob.lfs ? Content(blob.lfs->pointer) : blob.content, blob.oid, sha,
                      false);
  if (blob.lfs) return to_cdn(context, **repository, path, blob, sha);
  if (answers_directly(context, **repository, blob) || matches_etag(context.request, blob.oid))
    return plain_file(context, path, blob.content, blob.oid, sha, true);
  return to_cache(context, **repository, path, blob, sha);
}

Reply resolve_cache(Context& context) {
  const auto& segments = context.target.segments;
  if (segments.size() < 7 || segments[2] != "models")
    return text_error(404, "Entry not found", "EntryNotFound");
  const Place place{.prefix = "/api/resolve-cache/models",
                    .name = segments[3] + "/" + segments[4],
                    .end = 5,
                    .text_errors = true};
  const auto repository = admit(context, place, Need::access);
  if (!repository) return repository.error();
  const std::string& sha = segments[5];
  if (sha.size() != 40 || sha.find_first_not_of("0123456789abcdef") != std::string::npos)
    return text_error(400, "Invalid commit: a full sha is needed");
  const CommitPtr commit = (*repository)->resolve(sha);
  if (!commit) return text_error(404, "Invalid rev id: " + sha, "RevisionNotFound");
  const std::string path = join_from(context.target, 6);
  const BlobPtr* found = commit->tree->find(path);
  if (!found || (*found)->lfs) return entry_not_found(sha);
  return plain_file(context, path, (*found)->content, (*found)->oid, sha, true);
}

}  // namespace modelwatch::testhub
