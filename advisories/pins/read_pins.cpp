#include "advisories/pins/formats.h"

namespace modelwatch::advisories {
namespace {

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

Result<PinFile> json_pins(std::string_view text) {
  const auto document = read_json_node(text);
  if (!document) return tl::unexpected(document.error());
  if (is_cyclonedx(*document)) return cyclonedx_pins(*document);
  return PinFile{};
}

}  // namespace

bool may_hold_pins(std::string_view path) {
  const std::string_view name = base_name(path);
  return name.ends_with(".json") || name.ends_with(".purls") || name == "purls.txt";
}

Result<PinFile> read_pins(std::string_view path, std::string_view text) {
  if (base_name(path).ends_with(".json")) return json_pins(text);
  return purl_list_pins(text);
}

}  // namespace modelwatch::advisories
