#include "daemon/hub/environment.h"

#include <algorithm>
#include <charconv>
#include <fstream>

#include "daemon/hub/url.h"

namespace modelwatch::hub {

namespace {

constexpr std::size_t kLongestToken = 4096;  // bytes
constexpr std::chrono::seconds kLongestTimeout{3'600};

bool is_true(const std::optional<std::string>& value) {
  std::string upper = value.value_or("");
  std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
  return upper == "1" || upper == "ON" || upper == "YES" || upper == "TRUE";
}

/// A line break would end the header that the token is sent in.
std::optional<std::string> cleaned(std::optional<std::string> token) {
  if (!token || token->size() > kLongestToken) return {};
  std::erase_if(*token, [](unsigned char c) { return c <= ' ' || c == 0x7f; });
  if (token->empty()) return {};
  return token;
}

std::optional<std::string> token_in(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return {};
  std::string bytes(kLongestToken + 1, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return cleaned(std::move(bytes));
}

std::string with_home(const std::string& path, const Environment& environment) {
  if (path != "~" && !path.starts_with("~/")) return path;
  return environment("HOME").value_or("~") + path.substr(1);
}

std::optional<std::string> token_path(const Environment& environment) {
  if (const auto path = environment("HF_TOKEN_PATH")) return with_home(*path, environment);
  if (const auto home = environment("HF_HOME")) return with_home(*home, environment) + "/token";
  if (const auto cache = environment("XDG_CACHE_HOME")) return with_home(*cache, environment) + "/huggingface/token";
  if (const auto home = environment("HOME")) return *home + "/.cache/huggingface/token";
  return {};
}

std::optional<std::string> find_token(const Environment& environment) {
  if (const auto directory = environment("CREDENTIALS_DIRECTORY")) {
    if (auto token = token_in(*directory + "/hf-token")) return token;
  }
  if (is_true(environment("HF_HUB_DISABLE_IMPLICIT_TOKEN"))) return {};
  for (const char* variable : {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"}) {
    if (auto token = cleaned(environment(variable))) return token;
  }
  const auto path = token_path(environment);
  return path ? token_in(*path) : std::nullopt;
}

std::optional<std::chrono::seconds> seconds_in(const std::optional<std::string>& value) {
  int seconds = 0;
  if (!value || std::from_chars(value->data(), value->data() + value->size(), seconds).ec != std::errc() || seconds <= 0) return {};
  return std::min(std::chrono::seconds(seconds), kLongestTimeout);
}

}  // namespace

Result<ClientOptions> with_environment(ClientOptions options, const Environment& environment) {
  if (auto endpoint = environment("HF_ENDPOINT")) {
    while (endpoint->ends_with('/')) endpoint->pop_back();
    if (origin_of(*endpoint).empty())
      return fail(ErrorKind::bad_input, "HF_ENDPOINT is no http(s) address: " + *endpoint, "HF_ENDPOINT=https://huggingface.co");
    options.endpoint = std::move(*endpoint);
  }
  options.offline = options.offline || is_true(environment("HF_HUB_OFFLINE")) || is_true(environment("TRANSFORMERS_OFFLINE"));
  if (auto token = find_token(environment)) options.token = std::move(*token);
  if (const auto timeout = seconds_in(environment("HF_HUB_ETAG_TIMEOUT"))) options.connect_timeout = *timeout;
  if (const auto timeout = seconds_in(environment("HF_HUB_DOWNLOAD_TIMEOUT"))) options.idle_timeout = *timeout;
  if (auto origin = cleaned(environment("HF_HUB_USER_AGENT_ORIGIN"))) options.user_agent += "; origin/" + *origin;
  return options;
}

}  // namespace modelwatch::hub
