#include "advisories/pins/model_url.h"

#include <algorithm>
#include <array>
#include <vector>

#include "advisories/osv/package_name.h"

namespace modelwatch::advisories {
namespace {

bool among(std::string_view text, const auto& names) { return std::find(names.begin(), names.end(), text) != names.end(); }

/// What comes first in addresses of the Hub that are no model repositories.
constexpr std::array<std::string_view, 16> kNoOwner = {"datasets", "spaces", "models", "docs", "blog", "papers", "collections", "api", "join",
                                                       "login", "settings", "organizations", "tasks", "learn", "chat", "pricing"};
constexpr std::array<std::string_view, 6> kBeforeRevision = {"tree", "blob", "resolve", "raw", "commit", "commits"};

std::vector<std::string_view> segments(std::string_view path) {
  std::vector<std::string_view> out;
  while (!path.empty()) {
    const std::string_view segment = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(path.size(), segment.size() + 1));
    if (!segment.empty()) out.push_back(segment);
  }
  return out;
}

/// What follows the host, or nothing where the address is not the Hub's.
std::optional<std::string_view> path_on_hub(std::string_view url) {
  if (url.starts_with("hf://")) return url.substr(5);
  if (url.starts_with("git+")) url.remove_prefix(4);
  bool addressed = false;
  for (const std::string_view scheme : {"https://", "http://", "ssh://git@", "git@"})
    if (url.starts_with(scheme)) {
      url.remove_prefix(scheme.size());
      addressed = true;
      break;
    }
  for (const std::string_view host : {"www.huggingface.co", "huggingface.co", "hf.co"})
    if (url.starts_with(host) && url.size() > host.size() && (url[host.size()] == '/' || (addressed && url[host.size()] == ':')))
      return url.substr(host.size() + 1);
  return std::nullopt;
}

}  // namespace

std::optional<ModelUrl> parse_model_url(std::string_view url) {
  auto path = path_on_hub(url);
  if (!path) return std::nullopt;
  path = path->substr(0, path->find_first_of("?#"));
  std::string_view behind;  // "@rev" of pip's and hf://'s notations
  if (const auto mark = path->find('@'); mark != path->npos) {
    behind = path->substr(mark + 1);
    path = path->substr(0, mark);
    if (url.starts_with("hf://")) behind = behind.substr(0, behind.find('/'));
  }
  const auto parts = segments(*path);
  if (parts.empty() || among(parts[0], kNoOwner)) return std::nullopt;
  const bool legacy = parts.size() == 1 || among(parts[1], kBeforeRevision);
  const std::size_t used = legacy ? 1 : 2;
  ModelUrl model{std::string(parts[0]), std::string(behind)};
  if (!legacy) model.repository.append("/").append(parts[1]);
  if (model.repository.ends_with(".git")) model.repository.resize(model.repository.size() - 4);
  if (parts.size() > used + 1 && among(parts[used], kBeforeRevision)) model.revision = parts[used + 1];
  if (!is_repository_name(model.repository) || (legacy && model.revision.empty())) return std::nullopt;
  return model;
}

}  // namespace modelwatch::advisories
