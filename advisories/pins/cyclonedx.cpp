#include "advisories/osv/package_name.h"
#include "advisories/pins/formats.h"
#include "advisories/pins/model_url.h"

namespace modelwatch::advisories {
namespace {

/// A version is a revision only where nothing else could be meant by it.
std::string revision_or_commit(std::string_view revision, std::string_view version) {
  return revision.empty() ? full_commit(version).value_or("") : std::string(revision);
}

void read_component(const Node& component, PinFile& file) {
  const std::string_view version = component.get("version");
  if (const Node* purl = component.find("purl"); purl && purl_type(purl->text) == "huggingface") {
    const auto model = parse_model_purl(purl->text);
    if (model)
      file.pins.push_back({model->repository, model->hub, revision_or_commit(model->version, version), purl->at, "CycloneDX purl", {}, {}});
    else
      file.problems.push_back({purl->at, model.error().message});
    return;
  }
  if (component.get("type") != "machine-learning-model") return;
  const Node* references = component.find("externalReferences");
  for (const Node& reference : references ? references->items : std::vector<Node>{}) {
    const Node* url = reference.find("url");
    const auto model = url ? parse_model_url(url->text) : std::nullopt;
    if (!model) continue;
    file.pins.push_back({model->repository, std::string(kPublicHub), revision_or_commit(model->revision, version), url->at,
                         "CycloneDX external reference", {}, {}});
    return;
  }
}

void read_components(const Node& holder, PinFile& file) {
  const Node* components = holder.find("components");
  if (!components) return;
  for (const Node& component : components->items) {
    read_component(component, file);
    read_components(component, file);
  }
}

}  // namespace

bool is_cyclonedx(const Node& document) { return document.get("bomFormat") == "CycloneDX"; }

PinFile cyclonedx_pins(const Node& document) {
  PinFile file;
  if (const Node* metadata = document.find("metadata"))
    if (const Node* subject = metadata->find("component")) {
      read_component(*subject, file);
      read_components(*subject, file);
    }
  read_components(document, file);
  return file;
}

}  // namespace modelwatch::advisories
