#include "advisories/osv/purl.h"

#include <algorithm>
#include <optional>

#include "advisories/osv/package_name.h"

namespace modelwatch::advisories {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size() || hex_digit(text[i + 1]) < 0 || hex_digit(text[i + 2]) < 0) return std::nullopt;
    out += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
    i += 2;
  }
  return out;
}

std::string percent_encoded(std::string_view text, std::string_view kept) {
  static constexpr char hex[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain || kept.find(c) != kept.npos)
      out += c;
    else
      out.append({'%', hex[byte >> 4], hex[byte & 15]});
  }
  return out;
}

std::string lowered(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return out;
}

/// What follows "pkg:" (and slashes some writers put there); empty where the text is no purl.
std::string_view after_scheme(std::string_view text) {
  if (lowered(text.substr(0, 4)) != "pkg:") return {};
  text.remove_prefix(4);
  while (text.starts_with('/')) text.remove_prefix(1);
  return text;
}

/// The value of repository_url among the qualifiers; empty text where it is not there, nothing where it is malformed.
std::optional<std::string> hub_qualifier(std::string_view qualifiers) {
  while (!qualifiers.empty()) {
    const std::string_view pair = qualifiers.substr(0, qualifiers.find('&'));
    qualifiers.remove_prefix(std::min(qualifiers.size(), pair.size() + 1));
    const auto equals = pair.find('=');
    if (lowered(pair.substr(0, equals)) == "repository_url")
      return equals == pair.npos ? std::string() : percent_decoded(pair.substr(equals + 1));
  }
  return std::string();
}

}  // namespace

std::string purl_type(std::string_view text) {
  const std::string_view rest = after_scheme(text);
  const auto slash = rest.find('/');
  return slash == rest.npos ? std::string() : lowered(rest.substr(0, slash));
}

Result<ModelPurl> parse_model_purl(std::string_view text) {
  const auto bad = [&](const char* why) {
    return fail(ErrorKind::bad_input, "not a purl of a model: " + std::string(text.substr(0, 200)) + ": " + why,
                "pkg:huggingface/<org>/<name>@<commit>");
  };
  if (purl_type(text) != "huggingface") return bad("it does not start with pkg:huggingface/");
  std::string_view rest = after_scheme(text);
  rest.remove_prefix(rest.find('/') + 1);
  rest = rest.substr(0, rest.find('#'));
  std::string_view qualifiers;
  if (const auto mark = rest.find('?'); mark != rest.npos) {
    qualifiers = rest.substr(mark + 1);
    rest = rest.substr(0, mark);
  }
  std::string_view version;
  if (const auto at = rest.rfind('@'); at != rest.npos) {
    version = rest.substr(at + 1);
    rest = rest.substr(0, at);
  }
  while (rest.ends_with('/')) rest.remove_suffix(1);
  while (rest.starts_with('/')) rest.remove_prefix(1);

  const auto path = percent_decoded(rest), decoded_version = percent_decoded(version), hub = hub_qualifier(qualifiers);
  if (!path || !decoded_version || !hub) return bad("a percent sign is not followed by two hex digits");
  if (!is_repository_name(*path)) return bad("no repository is called so");
  ModelPurl purl{*path, full_commit(*decoded_version).value_or(*decoded_version), *hub};
  while (purl.hub.ends_with('/')) purl.hub.pop_back();
  if (purl.hub.empty()) purl.hub = kPublicHub;
  return purl;
}

std::string model_purl(std::string_view hub, std::string_view repository) {
  std::string out = "pkg:huggingface/" + percent_encoded(repository, "/-._~");
  if (hub != kPublicHub) out += "?repository_url=" + percent_encoded(hub, "/:-._~");
  return out;
}

}  // namespace modelwatch::advisories
