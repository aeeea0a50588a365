#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "daemon/config.h"
#include "daemon/hub/environment.h"

namespace modelwatch {

namespace {

constexpr const char* kServiceConfig = "/etc/modelwatch/modelwatch.toml";
constexpr const char* kServiceDatabase = "/var/lib/modelwatch/modelwatch.db";
constexpr std::size_t kLargestConfig = 4 << 20;  // bytes; ten thousand [[repo]] tables are half a megabyte

std::optional<std::string> read_file(const std::string& path, std::size_t limit) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return {};
  std::string bytes(limit + 1, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

bool is_file(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

/// $variable/name, else $HOME/fallback/name; none where neither variable is set.
std::optional<std::string> under(const Environment& environment, const char* variable, const std::string& fallback,
                                 const std::string& name) {
  if (const auto directory = environment(variable)) return *directory + "/" + name;
  if (const auto home = environment("HOME")) return *home + "/" + fallback + "/" + name;
  return {};
}

std::optional<std::string> find_config(const Environment& environment) {
  if (auto named = environment("MODELWATCH_CONFIG")) return named;
  if (is_file(kServiceConfig)) return kServiceConfig;
  auto users = under(environment, "XDG_CONFIG_HOME", ".config", "modelwatch/modelwatch.toml");
  return users && is_file(*users) ? users : std::nullopt;
}

}  // namespace

Environment process_environment() {
  return [](const char* name) -> std::optional<std::string> {
    const char* value = std::getenv(name);
    if (!value || !*value) return {};
    return value;
  };
}

Result<Config> load_config(const std::string& file, const Environment& environment) {
  Config config;
  const std::optional<std::string> path = file.empty() ? find_config(environment) : file;
  if (path) {
    const auto bytes = read_file(*path, kLargestConfig);
    if (!bytes) return fail(ErrorKind::bad_input, "cannot read " + *path, "modelwatchd --config FILE");
    if (bytes->size() > kLargestConfig) return fail(ErrorKind::bad_input, *path + " is larger than 4 MB");
    auto parsed = parse_config(*bytes, *path);
    if (!parsed) return parsed;
    config = std::move(*parsed);
  }
  auto options = hub::with_environment(client_options(config), environment);
  if (!options) return tl::unexpected(std::move(options.error()));
  config.endpoint = std::move(options->endpoint);
  config.token = std::move(options->token);
  config.offline = options->offline;
  config.connect_timeout = options->connect_timeout;
  config.idle_timeout = options->idle_timeout;
  config.user_agent = std::move(options->user_agent);
  return config;
}

std::string find_database(const std::string& given, const Config& config, const Environment& environment) {
  if (!given.empty()) return given;
  if (const auto named = environment("MODELWATCH_DB")) return *named;
  if (!config.database.empty()) return config.database;
  if (const auto directory = environment("STATE_DIRECTORY")) return *directory + "/modelwatch.db";
  if (access(kServiceDatabase, R_OK | W_OK) == 0) return kServiceDatabase;
  return under(environment, "XDG_STATE_HOME", ".local/state", "modelwatch/modelwatch.db").value_or(kServiceDatabase);
}

hub::ClientOptions client_options(const Config& config) {
  hub::ClientOptions options;
  options.endpoint = config.endpoint;
  options.token = config.token;
  options.offline = config.offline;
  options.user_agent = config.user_agent.empty() ? "modelwatch/" MODELWATCH_VERSION : config.user_agent;
  options.connect_timeout = config.connect_timeout;
  options.idle_timeout = config.idle_timeout;
  return options;
}

watch::CheckOptions check_options(const Config& config) {
  watch::CheckOptions options;
  options.feed = config.feed;
  options.hub_identity = config.identity;
  options.minimum = config.minimum;
  options.full_read_every = config.full_read_every;
  options.misses_until_gone = config.misses_until_gone;
  options.gone_after = config.gone_after;
  options.pace = config.pace;
  return options;
}

}  // namespace modelwatch
