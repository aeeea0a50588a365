#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace modelwatch::hub {

struct Request {
  std::string method = "GET";
  std::string url;                                            ///< absolute, used byte for byte
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::uint64_t max_body = 1 << 20;                           ///< bytes; the transfer is cut there
  bool stop_at_max = false;                                   ///< a longer body is no failure: what came is kept
};

struct Response {
  int status = 0;                                             ///< 0: no answer, `failure` says why
  std::vector<std::pair<std::string, std::string>> headers;   ///< names in lower case
  std::string body;
  std::string failure;                                        ///< connection refused, time-out, cut, too large, …
  bool interrupted = false;
  bool too_large = false;

  const std::string* header(std::string_view lower_case_name) const;
};

/// One HTTP exchange, no redirects, no retries, no meaning. The seam where tests put recorded answers.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual Response exchange(const Request& request, std::stop_token stop) = 0;
};

/// Over libcurl: one easy handle, kept connections, HTTP/1.1, proxies by the environment.
std::unique_ptr<Transport> curl_transport(std::chrono::milliseconds connect_timeout, std::chrono::milliseconds idle_timeout);

}  // namespace modelwatch::hub
