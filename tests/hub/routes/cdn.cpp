#include "tests/hub/routes/extras.h"
#include "tests/hub/routes/file_body.h"
#include "tests/hub/routes/replies.h"
#include "tests/hub/routes/routes.h"
#include "tests/hub/signing.h"

namespace modelwatch::testhub {
namespace {

Reply denied(const std::string& message) {
  Reply reply;
  reply.status = 403;
  reply.headers = {{"content-type", "text/xml"}};
  reply.text = "<Error><Code>AccessDenied</Code><Message>" + message + "</Message></Error>";
  return reply;
}

BlobPtr find_blob(const Repository& repository, const std::string& xet_hash) {
  for (const CommitPtr& commit : repository.commits())
    for (const auto& [path, blob] : commit->tree->files)
      if (blob->xet_hash == xet_hash) return blob;
  return nullptr;
}

Reply serve(const World& world, const Request& request, const Fault& fault) {
  const Target target(request.target);
  const std::string* range = request.headers.find("range");
  switch (verify_url(world.signing_key, request.target, range, world.clock.seconds())) {
    case Verdict::forged:
      return denied("Access denied");
    case Verdict::expired:
      return denied("Request has expired");
    case Verdict::wrong_range: {
      Reply reply;
      reply.status = 403;
      reply.headers = {{"content-type", "text/plain"}};
      reply.text = "Auth failed: invalid range";
      return reply;
    }
    case Verdict::valid:
      break;
  }
  const Repository* repository = target.segments.size() == 3 ? world.find_id(target.segments[1]) : nullptr;
  const BlobPtr blob = repository ? find_blob(*repository, target.segments[2]) : nullptr;
  if (!blob) return html_reply(404, "<Error><Code>NoSuchKey</Code></Error>");
  Reply reply;
  if (!range && request.method == "GET" && blob->content.size() > world.behaviour.largest_whole_download) {
    reply.status = 400;
    return reply;
  }
  reply.headers = {{"content-type", "application/octet-stream"},
                   {"etag", "\"" + blob->xet_hash + "\""},
                   {"accept-ranges", "bytes"},
                   {"access-control-allow-origin", "*"}};
  if (const std::string* shown = target.query.find("response-content-disposition"))
    reply.headers.set("content-disposition", *shown);
  put_content(reply, blob->content, request, world.behaviour.ignore_range || fault.ignore_range);
  if (reply.status == 416) reply.headers.erase("content-type");
  return reply;
}

}  // namespace

Reply answer_cdn(World& world, const Request& request, const Fault& fault) {
  Reply reply;
  if (fault.status) {
    reply.status = *fault.status;
    reply.headers = {{"content-type", "text/plain"}};
    reply.text = "Error " + std::to_string(*fault.status);
  } else if (request.method != "GET" && request.method != "HEAD") {
    reply.status = 405;
  } else {
    reply = serve(world, request, fault);
  }
  apply_fault(reply, request, world.behaviour, fault);
  return reply;
}

}  // namespace modelwatch::testhub
