#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

/// The daemon's voice: one line an event to stderr, `level event key=value …`, as journald and a person read it. Values
/// with spaces are quoted, control characters escaped, upstream's words capped. Only the daemon's main and loop speak.
namespace modelwatch::log {

using Fields = std::initializer_list<std::pair<std::string_view, std::string>>;

/// "debug", "info", "warning" or "error". Lines carry the time, unless the journal reads them and adds its own.
void open(const std::string& level);

void debug(std::string_view event, Fields fields = {});
void info(std::string_view event, Fields fields = {});
void warning(std::string_view event, Fields fields = {});
void error(std::string_view event, Fields fields = {});

/// The line without time and level: `event key=value key="two words"`.
std::string line(std::string_view event, Fields fields);

}  // namespace modelwatch::log
