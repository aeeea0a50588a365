#include "daemon/http/server_run.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>

namespace modelwatch::http {

Result<void> run_server(const std::string& address, std::uint16_t port, Handler handler,
                        const std::function<void(std::uint16_t port)>& listening) {
  boost::asio::io_context io{1};
  auto server = Server::listen(io, address, port, std::move(handler));
  if (!server) return tl::unexpected(server.error());
  boost::asio::signal_set signals(io, SIGINT, SIGTERM);
  signals.async_wait([&](const boost::system::error_code&, int) { (*server)->stop(); });
  listening((*server)->port());
  io.run();
  return {};
}

}  // namespace modelwatch::http
