#include "daemon/notify.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace modelwatch {

void notify(std::string_view state) {
  const char* path = std::getenv("NOTIFY_SOCKET");
  if (!path || (path[0] != '/' && path[0] != '@')) return;
  sockaddr_un address{};
  const std::size_t length = std::strlen(path);
  if (length >= sizeof address.sun_path) return;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path, length);
  if (path[0] == '@') address.sun_path[0] = '\0';  // a socket in the abstract namespace
  const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length);
  (void)sendto(fd, state.data(), state.size(), MSG_NOSIGNAL | MSG_DONTWAIT, reinterpret_cast<const sockaddr*>(&address), size);
  close(fd);
}

std::optional<std::chrono::microseconds> watchdog_period() {
  const auto number = [](const char* name) -> std::optional<long long> {
    const char* text = std::getenv(name);
    long long value = 0;
    if (!text || std::from_chars(text, text + std::strlen(text), value).ec != std::errc{} || value <= 0) return {};
    return value;
  };
  const auto microseconds = number("WATCHDOG_USEC");
  const auto process = number("WATCHDOG_PID");
  if (!microseconds || (process && *process != getpid())) return {};
  return std::chrono::microseconds{*microseconds / 2};
}

}  // namespace modelwatch
