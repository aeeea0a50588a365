#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "daemon/http/server.h"

namespace modelwatch::http {

/// Serves on the calling thread until SIGINT or SIGTERM; `listening` is told the port. For `modelwatch serve`: the daemon
/// has a loop of its own.
Result<void> run_server(const std::string& address, std::uint16_t port, Handler handler,
                        const std::function<void(std::uint16_t port)>& listening);

}  // namespace modelwatch::http
