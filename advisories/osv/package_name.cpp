#include "advisories/osv/package_name.h"

#include <algorithm>

namespace modelwatch::advisories {
namespace {

char lowered(char c) { return c >= 'A' && c <= 'Z' ? char(c + ('a' - 'A')) : c; }

bool is_segment(std::string_view segment) {
  constexpr std::size_t longest = 96;
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  };
  return !segment.empty() && segment.size() <= longest && std::all_of(segment.begin(), segment.end(), allowed) &&
         segment.find_first_not_of('.') != segment.npos;
}

}  // namespace

std::optional<std::string> full_commit(std::string_view text) {
  if (text.size() != 40 && text.size() != 64) return std::nullopt;
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lowered);
  if (out.find_first_not_of("0123456789abcdef") != out.npos) return std::nullopt;
  return out;
}

std::string normalized_git_name(std::string_view name) {
  if (const auto scheme = name.find("://"); scheme != name.npos) name.remove_prefix(scheme + 3);
  if (const auto user = name.find('@'); user < name.find('/')) name.remove_prefix(user + 1);
  while (name.ends_with('/')) name.remove_suffix(1);
  if (name.ends_with(".git")) name.remove_suffix(4);
  std::string out(name);
  std::transform(out.begin(), out.begin() + std::ptrdiff_t(std::min(out.find('/'), out.size())), out.begin(), lowered);
  return out;
}

std::optional<std::string> repository_of_git_name(std::string_view name, std::string_view hub) {
  const std::string full = normalized_git_name(name), root = normalized_git_name(hub) + "/";
  if (!full.starts_with(root)) return std::nullopt;
  const std::string_view path = std::string_view(full).substr(root.size());
  if (path.starts_with("datasets/") || path.starts_with("spaces/") || !is_repository_name(path)) return std::nullopt;
  return std::string(path);
}

bool is_repository_name(std::string_view name) {
  const auto slash = name.find('/');
  if (slash == name.npos) return is_segment(name);
  return is_segment(name.substr(0, slash)) && is_segment(name.substr(slash + 1));
}

}  // namespace modelwatch::advisories
