#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "tests/hub/wire/message.h"

namespace modelwatch::testhub {

/// HTTP/1.1 over real sockets: any number of addresses, one thread for all of them. Kept connections; bodies
/// go out from where they lie. Handlers run on that thread, one at a time, and must not block.
class Server {
 public:
  using Handler = std::function<Reply(const Request&)>;

  Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();  ///< as stop()

  /// Port 0 takes a free one. Returns the origin, "http://127.0.0.1:40123". Throws std::system_error where
  /// the address cannot be had.
  std::string listen(const std::string& address, std::uint16_t port, Handler handler);
  /// Runs `action` on the server's thread after `delay` of real time.
  void after(std::chrono::milliseconds delay, std::function<void()> action);
  /// Closes every connection, the hanging ones too, and joins the thread.
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace modelwatch::testhub
