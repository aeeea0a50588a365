#include "daemon/watch/plan_summary.h"

#include "estimator/json/reader.h"
#include "estimator/plan.h"

namespace modelwatch::watch {

json::Value plan_summary(const advisories::Snapshot& snapshot) {
  const advisories::ListedFile* file = snapshot.listing.find("config.json");
  if (!file) return nullptr;
  const auto content = snapshot.contents->read(*file);
  const auto* bytes = std::get_if<advisories::Bytes>(&content);
  if (!bytes) return nullptr;
  const auto document = json::read(**bytes);
  if (!document) return nullptr;
  const auto plan = estimator::plan(document->value);
  if (!plan) return nullptr;
  return estimator::plan_delta(*plan, *plan).after;
}

}  // namespace modelwatch::watch
