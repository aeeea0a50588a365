#include "advisories/osv/package_name.h"
#include "advisories/pins/formats.h"

namespace modelwatch::advisories {

bool is_lock(const Node& document) { return document.get("schema") == "modelwatch/lock/1"; }

PinFile lock_pins(const Node& document) {
  PinFile file;
  const Node* models = document.find("models");
  for (const Node& model : models ? models->items : std::vector<Node>{}) {
    const Node* revision = model.find("revision");
    const std::string repository(model.get("repository"));
    if (!is_repository_name(repository) || !revision || !full_commit(revision->text)) {
      file.problems.push_back({model.at, "a model without repository and full revision"});
      continue;
    }
    Pin pin{repository, std::string(kPublicHub), revision->text, revision->at, "lock", std::string(model.get("hub_id")), {}};
    if (!model.get("hub").empty()) pin.hub = model.get("hub");
    if (const Node* parts = model.find("parts"))
      for (const auto& [name, state] : parts->members)
        if (const auto part = part_named(name)) pin.states[*part] = state.text;
    file.pins.push_back(std::move(pin));
  }
  return file;
}

}  // namespace modelwatch::advisories
