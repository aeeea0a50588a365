#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "daemon/http/message.h"
#include "estimator/error.h"

namespace boost::asio {
class io_context;
}

namespace modelwatch::http {

/// Answers one request, on the thread that runs the io_context. Must not throw for anything a client can send.
using Handler = std::function<Reply(const Request&)>;

/// HTTP/1.1 on one address: keep-alive, HEAD, bounded headers and bodies, time-outs, a cap on connections. The only user of
/// Beast. Lives on the io_context's thread, which must not outlive it while connections are open: `stop` first.
class Server {
 public:
  static constexpr std::size_t kMaxBody = 8u << 20;     ///< bytes; a larger one is 413
  static constexpr std::size_t kMaxHeader = 16u << 10;  ///< bytes; larger ones are 431
  static constexpr std::size_t kMaxConnections = 4096;  ///< a further one is closed at once

  /// Port 0 takes a free one. Fails where the address cannot be bound.
  static Result<std::unique_ptr<Server>> listen(boost::asio::io_context& io, const std::string& address, std::uint16_t port,
                                                Handler handler);
  ~Server();

  std::uint16_t port() const;
  /// Closes the listener and every connection, so that the io_context can run out of work.
  void stop();

 private:
  struct Impl;
  explicit Server(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace modelwatch::http
