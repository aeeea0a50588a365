#include "daemon/watch/plan_summary.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "estimator/json/reader.h"
#include "estimator/plan.h"
#include "estimator/reconcile/stored_tensor.h"

namespace modelwatch::watch {

namespace {

using advisories::Bytes;
using advisories::ListedFile;
using advisories::Listing;
using advisories::Snapshot;

bool is_root_weights(const ListedFile& file) {
  return file.path.ends_with(".safetensors") && file.path.find('/') == std::string::npos;
}

Bytes bytes_of(const Snapshot& snapshot, const ListedFile& file) {
  auto content = snapshot.contents->read(file);
  Bytes* bytes = std::get_if<Bytes>(&content);
  return bytes ? std::move(*bytes) : nullptr;
}

/// All tensors of the weights at the root; empty where one of their headers is not there: a part would mislead.
std::vector<estimator::StoredTensor> tensors_of(const Snapshot& snapshot) {
  std::vector<estimator::StoredTensor> all;
  for (const ListedFile& file : snapshot.listing) {
    if (!is_root_weights(file)) continue;
    const Bytes bytes = bytes_of(snapshot, file);
    if (!bytes) return {};
    auto table = estimator::read_safetensors_header(*bytes);
    if (!table) return {};
    all.insert(all.end(), std::make_move_iterator(table->begin()), std::make_move_iterator(table->end()));
  }
  return all;
}

/// The identities of what a plan is made from.
std::vector<std::string_view> plan_inputs(const Listing& listing) {
  std::vector<std::string_view> identities;
  for (const ListedFile& file : listing)
    if (file.path == "config.json" || is_root_weights(file)) identities.push_back(file.identity());
  return identities;
}

}  // namespace

json::Value plan_summary(const Snapshot& snapshot) {
  const ListedFile* file = snapshot.listing.find("config.json");
  const Bytes config = file ? bytes_of(snapshot, *file) : nullptr;
  if (!config) return nullptr;
  const auto document = json::read(*config);
  if (!document) return nullptr;
  auto plan = estimator::plan(document->value);
  if (!plan) return nullptr;
  const auto tensors = tensors_of(snapshot);
  if (plan->model && !tensors.empty()) estimator::add_headers(*plan, tensors);
  json::Value summary = estimator::plan_delta(*plan, *plan).after;
  if (json::Object* figures = summary.object()) {
    const json::Value whole = to_json(*plan);
    for (const auto& [key, pointer] : {std::pair{"tensors", "/tensors/count"}, {"checkpoint", "/parameters/checkpoint"}, {"delta", "/parameters/delta"}}) {
      const json::Value* value = json::at_pointer(whole, pointer);
      figures->append(key, value ? *value : json::Value());
    }
  }
  return summary;
}

bool same_plan_inputs(const Listing& a, const Listing& b) { return plan_inputs(a) == plan_inputs(b); }

}  // namespace modelwatch::watch
