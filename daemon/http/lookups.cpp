#include <limits>

#include "daemon/http/handlers.h"
#include "storage/row_json.h"

namespace modelwatch::http {
namespace {

constexpr int kMostPlaces = 1000, kMostRows = 1000;

}  // namespace

/// Where these bytes are or were: by LFS sha256, or by git blob id for files that are not in LFS.
Reply find_blob(const Call& call) {
  if (const auto allowed = Parameters(call).allow({}); !allowed) return error_reply(allowed.error());
  const std::string& digest = call.path.at("digest");
  const auto places = call.backend.store.holders(digest, kMostPlaces);
  if (!places) return error_reply(places.error());
  if (places->empty()) return error_reply({ErrorKind::not_found, "no stored revision has this file", "a git blob id or LFS sha256 of a revision's file"});
  json::Array files;
  for (const storage::FilePlace& place : *places)
    files.push_back(json::Object{{"repository", place.repository}, {"sha", place.sha}, {"path", place.path}});
  return json_reply(json::Object{{"schema", "modelwatch/blob/1"}, {"digest", digest}, {"files", std::move(files)}});
}

/// Tracked repositories whose card names the base model.
Reply list_derived(const Call& call) {
  const Parameters parameters(call);
  if (const auto allowed = parameters.allow({"base_model", "limit", "cursor"}); !allowed) return error_reply(allowed.error());
  const std::string base = parameters.text("base_model");
  if (base.empty()) return error_reply({ErrorKind::usage, "base_model is missing", "?base_model=org/name"});
  const auto limit = parameters.integer("limit", 100, 1, kMostRows);
  if (!limit) return error_reply(limit.error());
  const auto after = parameters.integer("cursor", 0, 0, std::numeric_limits<int>::max());
  if (!after) return error_reply(after.error());
  return repositories_page(call.backend.store.derived_from(base, *after, *limit + 1), *limit);
}

}  // namespace modelwatch::http
