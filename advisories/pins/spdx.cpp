#include <algorithm>

#include "advisories/osv/package_name.h"
#include "advisories/pins/formats.h"
#include "advisories/pins/model_url.h"

namespace modelwatch::advisories {
namespace {

/// Adds the pin that a purl or a download location names; whether it named one.
bool add(std::string_view text, Position at, std::string_view version, std::string_view form, PinFile& file) {
  const std::string commit = full_commit(version).value_or("");
  if (purl_type(text) == "huggingface") {
    const auto model = parse_model_purl(text);
    if (!model) return file.problems.push_back({at, model.error().message}), true;
    file.pins.push_back({model->repository, model->hub, model->version.empty() ? commit : model->version, at, std::string(form) + " purl", {}, {}});
    return true;
  }
  const auto model = parse_model_url(text);
  if (!model) return false;
  file.pins.push_back({model->repository, std::string(kPublicHub), model->revision.empty() ? commit : model->revision, at,
                       std::string(form) + " download location", {}, {}});
  return true;
}

void read_package2(const Node& package, PinFile& file) {
  const std::string_view version = package.get("versionInfo");
  if (const Node* references = package.find("externalRefs"))
    for (const Node& reference : references->items)
      if (const Node* locator = reference.find("referenceLocator"); locator && add(locator->text, locator->at, version, "SPDX", file)) return;
  if (const Node* location = package.find("downloadLocation")) add(location->text, location->at, version, "SPDX", file);
}

void read_element3(const Node& element, PinFile& file) {
  const std::string_view version = element.get("software_packageVersion");
  for (const char* key : {"software_packageUrl", "software_downloadLocation"})
    if (const Node* value = element.find(key); value && add(value->text, value->at, version, "SPDX", file)) return;
}

}  // namespace

bool is_spdx(const Node& document) {
  const Node* context = document.find("@context");
  return document.find("spdxVersion") || (context && context->text.find("spdx.org") != context->text.npos);
}

PinFile spdx_pins(const Node& document) {
  PinFile file;
  if (const Node* packages = document.find("packages"))
    for (const Node& package : packages->items) read_package2(package, file);
  if (const Node* graph = document.find("@graph"))
    for (const Node& element : graph->items) read_element3(element, file);
  return file;
}

PinFile spdx_tag_value_pins(std::string_view text) {
  PinFile file;
  struct {
    std::string_view purl, location, version;
    Position purl_at, location_at;
  } package;
  const auto finish = [&] {
    if (package.purl.empty() || !add(package.purl, package.purl_at, package.version, "SPDX", file))
      add(package.location, package.location_at, package.version, "SPDX", file);
    package = {};
  };
  for (std::size_t line = 1; !text.empty(); ++line) {
    std::string_view whole = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), whole.size() + 1));
    if (whole.ends_with('\r')) whole.remove_suffix(1);
    const std::string_view tag = whole.substr(0, whole.find(": "));
    if (tag == whole) continue;
    const std::string_view value = whole.substr(tag.size() + 2);
    const Position at{line, tag.size() + 3};
    if (tag == "PackageName") finish();
    if (tag == "PackageVersion") package.version = value;
    if (tag == "PackageDownloadLocation") package.location = value, package.location_at = at;
    if (tag == "ExternalRef")
      if (const auto purl = value.find("pkg:"); purl != value.npos && purl_type(value.substr(purl)) == "huggingface")
        package.purl = value.substr(purl), package.purl_at = {line, at.column + purl};
  }
  finish();
  return file;
}

}  // namespace modelwatch::advisories
