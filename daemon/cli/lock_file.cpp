#include "daemon/cli/lock_file.h"

#include <algorithm>
#include <tuple>

#include "advisories/osv/package_name.h"

namespace modelwatch::cli {
namespace {

auto key(const LockedModel& model) { return std::tie(model.repository, model.revision, model.hub); }

}  // namespace

json::Value lock_document(std::vector<LockedModel> models) {
  std::sort(models.begin(), models.end(), [](const auto& a, const auto& b) { return key(a) < key(b); });
  models.erase(std::unique(models.begin(), models.end(), [](const auto& a, const auto& b) { return key(a) == key(b); }), models.end());
  json::Array list;
  for (const LockedModel& model : models) {
    json::Object parts;
    for (const auto& [part, state] : model.parts) parts.append(std::string(advisories::name(part)), state);
    json::Object one{{"repository", model.repository}, {"hub_id", model.hub_id}, {"revision", model.revision}, {"parts", std::move(parts)}};
    if (model.hub != advisories::kPublicHub) one.append("hub", model.hub);
    list.push_back(std::move(one));
  }
  return json::Object{{"schema", "modelwatch/lock/1"}, {"models", std::move(list)}};
}

std::string differs_from_lock(const advisories::Pin& pin, const std::vector<advisories::Pin>& locked) {
  std::string there;
  for (const advisories::Pin& one : locked) {
    if (one.repository != pin.repository || one.hub != pin.hub) continue;
    if (advisories::full_commit(pin.revision) == one.revision) return {};
    there = one.revision;
  }
  if (there.empty()) return "the repository is not locked";
  return "locked at " + there + (pin.revision.empty() ? ", but no revision is pinned" : "");
}

std::string differs_from_states(const advisories::Pin& locked, const advisories::States& seen) {
  for (const auto& [part, state] : locked.states) {
    const auto found = seen.find(part);
    if (found == seen.end() || found->second != state)
      return "the digest of " + std::string(advisories::name(part)) + " is not that of this revision";
  }
  return {};
}

}  // namespace modelwatch::cli
