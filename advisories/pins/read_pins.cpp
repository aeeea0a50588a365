#include <algorithm>

#include "advisories/pins/formats.h"

namespace modelwatch::advisories {
namespace {

enum class Kind { none, purls, json, yaml, toml, shell, environment, dockerfile, gitmodules, spdx_text };

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

Kind kind_of(std::string_view path) {
  const std::string_view name = base_name(path);
  if (name == ".gitmodules") return Kind::gitmodules;
  if (name.starts_with("Dockerfile") || name.starts_with("Containerfile") || name.ends_with(".Dockerfile") || name.ends_with(".dockerfile"))
    return Kind::dockerfile;
  constexpr std::pair<std::string_view, Kind> endings[] = {
      {".json", Kind::json}, {".lock", Kind::json}, {".yaml", Kind::yaml}, {".yml", Kind::yaml},        {".toml", Kind::toml},
      {".sh", Kind::shell},  {".bash", Kind::shell}, {".zsh", Kind::shell}, {".env", Kind::environment},      {".purls", Kind::purls},
      {"purls.txt", Kind::purls}, {".spdx", Kind::spdx_text},
  };
  for (const auto& [ending, kind] : endings)
    if (name.ends_with(ending)) return kind;
  return Kind::none;
}

PinFile document_pins(const Node& document) {
  if (is_cyclonedx(document)) return cyclonedx_pins(document);
  if (is_spdx(document)) return spdx_pins(document);
  if (is_lock(document)) return lock_pins(document);
  PinFile file;
  config_pins(document, file);
  container_pins(document, file);
  return file;
}

Result<PinFile> yaml_pins(std::string_view text) {
  const auto documents = read_yaml_nodes(text);
  if (!documents) return tl::unexpected(documents.error());
  PinFile all;
  for (const Node& document : *documents) {
    PinFile file = document_pins(document);
    all.pins.insert(all.pins.end(), file.pins.begin(), file.pins.end());
    all.problems.insert(all.problems.end(), file.problems.begin(), file.problems.end());
  }
  return all;
}

PinFile shell_pins(std::string_view text) {
  PinFile file;
  script_pins(text, {1, 1}, {}, 0, file);
  return file;
}

}  // namespace

bool may_hold_pins(std::string_view path) { return kind_of(path) != Kind::none; }

namespace {

Result<PinFile> read_unordered(std::string_view path, std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  switch (kind_of(path)) {
    case Kind::json: {
      const auto document = read_json_node(text);
      return document ? Result<PinFile>(document_pins(*document)) : tl::unexpected(document.error());
    }
    case Kind::yaml: return yaml_pins(text);
    case Kind::toml: {
      const auto document = read_toml_node(text);
      return document ? Result<PinFile>(document_pins(*document)) : tl::unexpected(document.error());
    }
    case Kind::shell: return shell_pins(text);
    case Kind::environment: {
      PinFile file;
      environment_file_pins(text, file);
      return file;
    }
    case Kind::dockerfile: return dockerfile_pins(text);
    case Kind::gitmodules: return gitmodules_pins(text);
    case Kind::spdx_text: return spdx_tag_value_pins(text);
    case Kind::purls: return purl_list_pins(text);
    case Kind::none: break;
  }
  // A file that was named whatever it is called: a script says so in its first line, else it is a list of purls.
  return text.starts_with("#!") ? Result<PinFile>(shell_pins(text)) : Result<PinFile>(purl_list_pins(text));
}

}  // namespace

Result<PinFile> read_pins(std::string_view path, std::string_view text) {
  auto file = read_unordered(path, text);
  if (!file) return file;
  std::stable_sort(file->pins.begin(), file->pins.end(), [](const Pin& a, const Pin& b) { return a.at < b.at; });
  return file;
}

}  // namespace modelwatch::advisories
