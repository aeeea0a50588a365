#pragma once
#include <chrono>
#include <optional>
#include <string_view>

namespace modelwatch {

/// Tells systemd, by one datagram to $NOTIFY_SOCKET (sd_notify's protocol): "READY=1", "RELOADING=1", "STOPPING=1",
/// "WATCHDOG=1", "STATUS=…". Does nothing where no service manager asks for it.
void notify(std::string_view state);

/// How often the watchdog wants to hear from this process; none where it does not watch.
std::optional<std::chrono::microseconds> watchdog_period();

}  // namespace modelwatch
