#include "daemon/http/message.h"

#include "estimator/json/writer.h"

namespace modelwatch::http {
namespace {

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> decode(std::string_view text, bool plus_is_space) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      const int high = i + 2 < text.size() ? hex(text[i + 1]) : -1, low = i + 2 < text.size() ? hex(text[i + 2]) : -1;
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    } else if (c == '+' && plus_is_space) {
      c = ' ';
    }
    if (c == '\0') return std::nullopt;
    out += c;
  }
  return out;
}

}  // namespace

std::string_view Request::header(std::string_view name) const {
  for (const auto& [key, value] : headers)
    if (key == name) return value;
  return {};
}

std::optional<std::string> Request::parameter(std::string_view name) const {
  for (const auto& [key, value] : query)
    if (key == name) return value;
  return std::nullopt;
}

std::optional<Request> parse_target(std::string_view target) {
  Request request;
  const std::size_t mark = target.find('?');
  auto path = decode(target.substr(0, mark), false);
  if (!path || !path->starts_with('/')) return std::nullopt;
  request.path = std::move(*path);
  std::string_view rest = mark == target.npos ? std::string_view() : target.substr(mark + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    auto name = decode(pair.substr(0, equals), true);
    auto value = decode(equals == pair.npos ? std::string_view() : pair.substr(equals + 1), true);
    if (!name || !value) return std::nullopt;
    request.query.emplace_back(std::move(*name), std::move(*value));
  }
  return request;
}

Reply json_reply(const json::Value& document, int status) {
  Reply reply;
  reply.status = status;
  reply.body = json::write(document);
  return reply;
}

int status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
    case ErrorKind::bad_input: return 400;
    case ErrorKind::not_found: return 404;
    case ErrorKind::upstream: return 502;
    case ErrorKind::database:
    case ErrorKind::interrupted: return 503;
  }
  return 500;
}

Reply error_reply(const Error& error) {
  return json_reply(json::Object{{"error", error.message}, {"try", error.hint.empty() ? json::Value() : json::Value(error.hint)}},
                    status_of(error.kind));
}

}  // namespace modelwatch::http
