#include "daemon/log.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdlib>

namespace modelwatch::log {

namespace {

constexpr std::size_t kLongestValue = 400;  // bytes

void append_value(std::string& out, std::string_view value) {
  const bool cut = value.size() > kLongestValue;
  if (cut) value = value.substr(0, kLongestValue);
  const bool plain = !value.empty() && !cut && std::all_of(value.begin(), value.end(), [](unsigned char c) {
    return c > ' ' && c != '"' && c != '=' && c != '\\' && c != 0x7f;
  });
  if (plain) {
    out += value;
    return;
  }
  out += '"';
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') (out += '\\') += c;
    else if (byte < 0x20 || byte == 0x7f) out += fmt::format("\\x{:02x}", byte);
    else out += c;
  }
  out += cut ? "…\"" : "\"";
}

void write(spdlog::level::level_enum level, std::string_view event, Fields fields) {
  if (spdlog::should_log(level)) spdlog::log(level, "{}", line(event, fields));
}

}  // namespace

void open(const std::string& level) {
  static const auto logger = std::make_shared<spdlog::logger>("modelwatchd", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  spdlog::set_default_logger(logger);
  const bool journal = std::getenv("JOURNAL_STREAM") != nullptr;
  logger->set_formatter(std::make_unique<spdlog::pattern_formatter>(journal ? "%l %v" : "%Y-%m-%dT%H:%M:%SZ %l %v",
                                                                    spdlog::pattern_time_type::utc));
  logger->set_level(spdlog::level::from_str(level));
  logger->flush_on(spdlog::level::debug);
}

std::string line(std::string_view event, Fields fields) {
  std::string out(event);
  for (const auto& [key, value] : fields) {
    (out += ' ').append(key) += '=';
    append_value(out, value);
  }
  return out;
}

void debug(std::string_view event, Fields fields) { write(spdlog::level::debug, event, fields); }
void info(std::string_view event, Fields fields) { write(spdlog::level::info, event, fields); }
void warning(std::string_view event, Fields fields) { write(spdlog::level::warn, event, fields); }
void error(std::string_view event, Fields fields) { write(spdlog::level::err, event, fields); }

}  // namespace modelwatch::log
