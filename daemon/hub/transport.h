#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace modelwatch::hub {

struct Request {
  std::string method = "GET";                                 ///< GET or HEAD
  std::string url;                                            ///< absolute, used byte for byte
  std::vector<std::pair<std::string, std::string>> headers = {};  ///< names in lower case
  std::uint64_t max_body = 1 << 20;                           ///< bytes, after decompression; the transfer is cut there
  bool stop_at_max = false;                                   ///< a longer body is no failure: what came is kept

  const std::string* header(std::string_view lower_case_name) const;
};

struct Response {
  int status = 0;                                             ///< 0: no answer, `failure` says why
  std::vector<std::pair<std::string, std::string>> headers;   ///< names in lower case
  std::string body;
  std::string failure;                                        ///< connection refused, time-out, cut, …; empty: whole
  bool interrupted = false;                                   ///< stop was requested
  bool too_large = false;                                     ///< longer than `max_body`; status and headers are there

  const std::string* header(std::string_view lower_case_name) const;
};

/// One HTTP exchange, no redirects, no retries, no meaning. The seam where tests put recorded answers.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual Response exchange(const Request& request, std::stop_token stop) = 0;
};

/// Over libcurl: one easy handle, kept connections, HTTP/1.1, proxies by the environment. A body that comes compressed
/// is decompressed, asked for or not. An exchange ends where a stop is requested (within 50 ms, name resolution
/// included), where nothing arrives for `idle_timeout`, and where what arrives is slower than 8 KB/s over the whole
/// transfer, so that a server that drips cannot hold a worker.
///
/// The first call runs curl_global_init, once for the process: call it before other threads use libcurl or OpenSSL's
/// configuration, as `main` does by building its clients before its workers.
std::unique_ptr<Transport> curl_transport(std::chrono::milliseconds connect_timeout, std::chrono::milliseconds idle_timeout);

}  // namespace modelwatch::hub
