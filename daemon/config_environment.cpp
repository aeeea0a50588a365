#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "daemon/config.h"

namespace modelwatch {

namespace {

constexpr const char* kServiceConfig = "/etc/modelwatch/modelwatch.toml";
constexpr const char* kServiceDatabase = "/var/lib/modelwatch/modelwatch.db";
constexpr std::size_t kLargestConfig = 4 << 20;  // bytes; ten thousand [[repo]] tables are half a megabyte
constexpr std::size_t kLargestToken = 4096;

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

/// Truth as the ecosystem writes it.
bool is_true(const std::optional<std::string>& value) {
  if (!value) return false;
  std::string upper = *value;
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
  return upper == "1" || upper == "ON" || upper == "YES" || upper == "TRUE";
}

std::optional<std::string> clean_token(std::optional<std::string> token) {
  if (!token || token->size() > kLargestToken) return {};
  std::erase_if(*token, [](unsigned char c) { return c <= ' ' || c == 0x7f; });  // a newline would end the header
  if (token->empty()) return {};
  return token;
}

std::optional<std::string> find_token(const Environment& environment) {
  if (const auto directory = environment("CREDENTIALS_DIRECTORY")) {
    if (auto token = clean_token(read_file(*directory + "/hf-token", kLargestToken))) return token;
  }
  if (is_true(environment("HF_HUB_DISABLE_IMPLICIT_TOKEN"))) return {};
  for (const char* variable : {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"}) {
    if (auto token = clean_token(environment(variable))) return token;
  }
  std::optional<std::string> file = environment("HF_TOKEN_PATH");
  if (!file) {
    const auto hf_home = environment("HF_HOME");
    file = hf_home ? *hf_home + "/token" : under(environment, "XDG_CACHE_HOME", ".cache", "huggingface/token");
  }
  return file ? clean_token(read_file(*file, kLargestToken)) : std::nullopt;
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
  if (auto endpoint = environment("HF_ENDPOINT")) {
    while (endpoint->ends_with('/')) endpoint->pop_back();
    if (!endpoint->starts_with("https://") && !endpoint->starts_with("http://")) {
      return fail(ErrorKind::bad_input, "HF_ENDPOINT must start with https:// or http://, not " + *endpoint);
    }
    config.endpoint = *endpoint;
  }
  config.token = find_token(environment).value_or("");
  config.offline = is_true(environment("HF_HUB_OFFLINE")) || is_true(environment("TRANSFORMERS_OFFLINE"));
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
  options.user_agent = "modelwatch/" MODELWATCH_VERSION;
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
