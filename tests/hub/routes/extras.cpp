#include "tests/hub/routes/extras.h"

#include <array>
#include <atomic>
#include <cstdio>

#include "tests/hub/git/digest.h"
#include "tests/hub/routes/compression.h"
#include "tests/hub/routes/replies.h"

namespace modelwatch::testhub {
namespace {

/// Like the trace ids of the real service: a time in hex, then 24 hex that are unique.
std::string request_id(Clock::Time now) {
  static std::atomic<std::uint64_t> serial{0};
  std::array<char, 48> out{};
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
  std::snprintf(out.data(), out.size(), "Root=1-%08x-", static_cast<unsigned>(seconds));
  return out.data() + sha1_hex(std::to_string(++serial)).substr(0, 24);
}

std::string gateway_page(int status) {
  const std::string title = status == 502   ? "502 Bad Gateway"
                            : status == 503 ? "503 Service Temporarily Unavailable"
                                            : "504 Gateway Time-out";
  return "<html><body><h1>" + title + "</h1></body></html>";
}

}  // namespace

Reply fault_reply(const Context& context, int status, Bucket bucket, const Allowance& allowance) {
  if (status == 429)
    return rate_limited(context, bucket, {allowance.limit, 0, allowance.seconds_left, false});
  if (status >= 502 && status <= 504) return html_reply(status, gateway_page(status));
  const std::string message = status == 500
                                  ? "Internal Error - We're working hard to fix this as soon as possible!"
                                  : "Error " + std::to_string(status);
  return any_error(bucket != Bucket::api, status, message);
}

Reply rate_limited(const Context& context, Bucket bucket, const Allowance& allowance) {
  Reply reply;
  if (context.world.behaviour.html_429 || bucket == Bucket::pages) {
    reply = html_reply(429, "<!DOCTYPE html><html><body>" + std::string(52'000, ' ') +
                                "We had to rate limit you.</body></html>");
  } else {
    const std::string message =
        context.user
            ? "We had to rate limit you, you hit the quota of " + std::to_string(allowance.limit) + " " +
                  std::string(to_string(bucket)) + " requests per 5 minutes period."
            : "We had to rate limit your IP (" + context.request.remote +
                  "). To continue using our service, create a HF account or login to your existing account.";
    reply = any_error(bucket != Bucket::api, 429, message);
    reply.headers.erase("x-error-message");
  }
  if (context.world.behaviour.retry_after)
    reply.headers.set("retry-after", std::to_string(allowance.seconds_left));
  return reply;
}

void add_hub_headers(Reply& reply, const Context& context, Bucket bucket, const Allowance& allowance) {
  Headers& headers = reply.headers;
  const std::string quoted = "\"" + std::string(to_string(bucket)) + "\"";
  const bool exhausted = reply.status == 429;
  headers.set("ratelimit", quoted + ";r=" + std::to_string(exhausted ? 0 : allowance.remaining) +
                               ";t=" + std::to_string(allowance.seconds_left));
  headers.set("ratelimit-policy", "\"fixed window\";" + quoted + ";q=" + std::to_string(allowance.limit) +
                                      ";w=" + std::to_string(context.world.quotas.window.count()));
  headers.set("x-request-id", request_id(context.world.clock.now()));
  headers.set("x-powered-by", "huggingface-moon");
  headers.set("vary", "Origin");
  headers.set("access-control-expose-headers",
              "X-Repo-Commit,X-Request-Id,X-Error-Code,X-Error-Message,X-Total-Count,ETag,Link,Accept-Ranges,"
              "Content-Range,X-Linked-Size,X-Linked-ETag,X-Xet-Hash");
  headers.set("x-cache", "Miss from cloudfront");
  headers.set("via", "1.1 testhub.cloudfront.example (CloudFront)");
  headers.set("x-amz-cf-id", headers.value("x-request-id").substr(5));
  if (bucket == Bucket::resolvers && !context.user)
    headers.add("x-hf-warning", "unauthenticated; Requests without a token have lower rate limits.");
  if (!context.world.behaviour.error_codes) {
    headers.erase("x-error-code");
    headers.erase("x-error-message");
  }
}

void apply_fault(Reply& reply, const Request& request, const Behaviour& behaviour, const Fault& fault) {
  if (fault.body) {
    reply.text = *fault.body;
    reply.slice.reset();
    if (reply.headers.value("etag").starts_with("W/")) reply.headers.set("etag", weak_etag(reply.text));
  }
  if (behaviour.gzip || fault.gzip) compress(reply, request);
  if (!behaviour.content_length || fault.no_content_length) reply.chunked = true;
  for (const auto& [name, value] : fault.set_headers) reply.headers.set(name, value);
  for (const std::string& name : fault.drop_headers) reply.headers.erase(name);
  reply.hang = fault.hang;
  reply.delay += fault.delay;
  reply.cut_after = fault.cut_after;
}

}  // namespace modelwatch::testhub
