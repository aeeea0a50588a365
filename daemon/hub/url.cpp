#include "daemon/hub/url.h"

#include <algorithm>

namespace modelwatch::hub {

namespace {

bool is_letter_or_digit(char c) { return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z'); }

bool is_host_character(char c) { return is_letter_or_digit(c) || c == '-' || c == '.' || c == ':' || c == '[' || c == ']' || c == '_'; }

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return out;
}

/// Where the authority starts; npos without "://".
std::size_t authority_at(std::string_view url) {
  const auto colon = url.find("://");
  if (colon == std::string_view::npos || url.find_first_of("/?#") < colon) return std::string_view::npos;
  return colon + 3;
}

std::string percent_encoded(std::string_view text, std::string_view kept) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (is_letter_or_digit(c) || kept.find(c) != std::string_view::npos) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return out;
}

}  // namespace

std::string origin_of(std::string_view url) {
  const auto at = authority_at(url);
  if (at == std::string_view::npos) return {};
  const std::string scheme = lower(url.substr(0, at - 3));
  if (scheme != "http" && scheme != "https") return {};
  std::string host = lower(url.substr(at, url.find_first_of("/?#", at) - at));
  if (host.empty() || !std::all_of(host.begin(), host.end(), is_host_character)) return {};
  const std::string_view default_port = scheme == "http" ? ":80" : ":443";
  if (host.ends_with(default_port)) host.resize(host.size() - default_port.size());
  return scheme + "://" + host;
}

std::string_view target_of(std::string_view url) {
  const auto at = authority_at(url);
  const auto path = url.find_first_of("/?#", at == std::string_view::npos ? 0 : at);
  return path == std::string_view::npos ? std::string_view("/") : url.substr(path);
}

std::string resolve(std::string_view base, std::string_view reference) {
  if (reference.empty() || std::any_of(reference.begin(), reference.end(), [](unsigned char c) { return c <= ' ' || c == 0x7f; }))
    return {};
  if (authority_at(reference) != std::string_view::npos)
    return origin_of(reference).empty() ? std::string() : std::string(reference);
  const std::string_view origin = base.substr(0, base.find_first_of("/?#", authority_at(base)));
  if (reference.starts_with("//")) {
    std::string absolute = std::string(base.substr(0, base.find(':') + 1)).append(reference);
    return origin_of(absolute).empty() ? std::string() : absolute;
  }
  if (reference.front() == '/') return std::string(origin).append(reference);
  std::string_view path = target_of(base);
  path = path.substr(0, path.find_first_of("?#"));
  if (reference.front() != '?') path = path.substr(0, path.rfind('/') + 1);
  return std::string(origin).append(path).append(reference);
}

std::string encode(std::string_view segment) { return percent_encoded(segment, "-._~"); }
std::string encode_path(std::string_view path) { return percent_encoded(path, "-._~/"); }

}  // namespace modelwatch::hub
