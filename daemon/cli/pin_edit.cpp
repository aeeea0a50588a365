#include "daemon/cli/pin_edit.h"

#include <algorithm>
#include <array>

namespace modelwatch::cli {
namespace {

constexpr std::array<std::string_view, 8> kCommands = {"vllm serve", "vllm api_server", "sglang.launch_server", "text-generation-launcher",
                                                       "text-embeddings-router", "lmdeploy serve", "hf download", "huggingface-cli download"};

bool is_identifier(std::string_view form) {
  return !form.empty() && std::all_of(form.begin(), form.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string inserted(std::string_view line, std::size_t at, const std::string& text) {
  return std::string(line.substr(0, at)) + text + std::string(line.substr(at));
}

}  // namespace

std::optional<std::string> with_revision(std::string_view line, const advisories::Pin& pin, std::string_view revision) {
  const std::size_t from = pin.at.column > 0 ? pin.at.column - 1 : 0;
  if (from > line.size()) return std::nullopt;
  if (!pin.revision.empty()) {
    const auto at = line.find(pin.revision, from);
    if (at == line.npos) return std::nullopt;
    return std::string(line.substr(0, at)) + std::string(revision) + std::string(line.substr(at + pin.revision.size()));
  }
  const auto at = line.find(pin.repository, from);
  if (at == line.npos) return std::nullopt;
  const std::size_t end = at + pin.repository.size();
  if (pin.form.ends_with("purl")) return inserted(line, end, "@" + std::string(revision));
  const bool quoted = end < line.size() && (line[end] == '"' || line[end] == '\'');
  if (std::find(kCommands.begin(), kCommands.end(), pin.form) != kCommands.end()) {
    // Words of a list (["--model", "org/name"]) would need an item of their own.
    if (quoted && line.find('[') != line.npos) return inserted(line, end + 1, ", \"--revision\", \"" + std::string(revision) + "\"");
    return inserted(line, end + (quoted ? 1 : 0), " --revision " + std::string(revision));
  }
  if (is_identifier(pin.form) && quoted && pin.form != "config" && pin.form != "environment" && pin.form != "address" && pin.form != "submodule")
    return inserted(line, end + 1, std::string(", revision=\"") + std::string(revision) + "\"");
  return std::nullopt;
}

}  // namespace modelwatch::cli
