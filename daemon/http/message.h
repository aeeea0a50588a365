#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "estimator/error.h"
#include "estimator/json/value.h"

namespace modelwatch::http {

/// A request as a route sees it: no sockets, nothing of Beast.
struct Request {
  std::string method = "GET";
  std::string path = "/";                                    ///< decoded, without the query
  std::vector<std::pair<std::string, std::string>> query;    ///< decoded, in order
  std::vector<std::pair<std::string, std::string>> headers;  ///< names in lower case
  std::string body;

  /// Empty where absent.
  std::string_view header(std::string_view lower_case_name) const;
  std::optional<std::string> parameter(std::string_view name) const;
};

struct Reply {
  int status = 200;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

/// Splits and decodes a request target. Empty where an escape is broken or a decoded byte is a NUL.
std::optional<Request> parse_target(std::string_view target);

Reply json_reply(const json::Value& document, int status = 200);
/// `{"error": …, "try": …}` with the status of its kind.
Reply error_reply(const Error& error);
int status_of(ErrorKind kind);

}  // namespace modelwatch::http
