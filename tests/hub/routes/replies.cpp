#include "tests/hub/routes/replies.h"

#include <array>
#include <ctime>

#include "estimator/json/writer.h"
#include "tests/hub/git/digest.h"

namespace modelwatch::testhub {
namespace {

constexpr const char* json_type = "application/json; charset=utf-8";
constexpr const char* text_type = "text/plain; charset=utf-8";

Reply make(int status, const char* type, std::string body) {
  Reply reply;
  reply.status = status;
  reply.headers = {{"content-type", type}, {"etag", weak_etag(body)}};
  reply.text = std::move(body);
  return reply;
}

void add_error_headers(Reply& reply, const std::string& message, const std::string& code) {
  if (!code.empty()) reply.headers.add("x-error-code", code);
  reply.headers.add("x-error-message", message);
  if (reply.status == 401)
    reply.headers.add("www-authenticate", "Bearer realm=\"Authentication required\", charset=\"UTF-8\"");
}

}  // namespace

Reply json_reply(const json::Value& value) {
  return make(200, json_type, json::write(value));
}

Reply api_error(int status, const std::string& message, const std::string& code) {
  Reply reply = make(status, json_type, json::write(json::Object{{"error", message}}));
  add_error_headers(reply, message, code);
  return reply;
}

Reply text_error(int status, const std::string& message, const std::string& code) {
  Reply reply = make(status, text_type, message);
  add_error_headers(reply, message, code);
  return reply;
}

Reply any_error(bool text, int status, const std::string& message, const std::string& code) {
  return text ? text_error(status, message, code) : api_error(status, message, code);
}

Reply html_reply(int status, std::string body) {
  Reply reply;
  reply.status = status;
  reply.headers = {{"content-type", "text/html; charset=utf-8"}};
  reply.text = std::move(body);
  return reply;
}

Reply redirect_reply(int status, const std::string& location) {
  Reply reply;
  reply.status = status;
  reply.headers = {{"content-type", text_type}, {"location", location}};
  reply.text = (status == 307 ? "Temporary Redirect. Redirecting to " : "Found. Redirecting to ") + location;
  return reply;
}

std::string iso_date(std::chrono::sys_seconds time) {
  const std::time_t seconds = time.time_since_epoch().count();
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> out{};
  std::strftime(out.data(), out.size(), "%Y-%m-%dT%H:%M:%S.000Z", &parts);
  return out.data();
}

}  // namespace modelwatch::testhub
