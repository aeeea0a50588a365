#include "tests/hub/routes/info_fields.h"
#include "tests/hub/routes/replies.h"
#include "tests/hub/routes/routes.h"

namespace modelwatch::testhub {
namespace {

json::Value scan_status(const CommitPtr& commit) {
  json::Array issues;
  if (commit)
    for (const auto& [path, blob] : commit->tree->files)
      if (path.ends_with(".pkl")) issues.push_back(json::Object{{"path", path}, {"level", "suspicious"}});
  return json::Object{{"scansDone", true}, {"filesWithIssues", std::move(issues)}};
}

json::Object full_info(const InfoFields& fields, bool blobs, bool masked) {
  json::Object out;
  for (const char* name : {"_id",        "id",           "private", "pipeline_tag", "library_name",
                           "tags",       "downloads",    "likes",   "modelId",      "author",
                           "sha",        "lastModified", "gated",   "disabled",     "mask_token",
                           "widgetData", "model-index",  "config",  "cardData",     "transformersInfo"})
    if (auto value = fields.value(name)) out.append(name, std::move(*value));
  out.append("siblings", fields.siblings(blobs, masked));
  for (const char* name : {"spaces", "createdAt", "safetensors", "usedStorage"})
    if (auto value = fields.value(name)) out.append(name, std::move(*value));
  return out;
}

}  // namespace

Reply model_info(Context& context, const Place& place) {
  const auto repository = admit(context, place, Need::sight);
  if (!repository) return repository.error();
  const bool asked_revision = place.end < context.target.segments.size();
  const std::string revision = asked_revision ? join_from(context.target, place.end + 1) : "refs/heads/main";
  CommitPtr commit = (*repository)->resolve(revision, context.fault.stale);
  if (!commit && asked_revision) return find_revision(context, **repository, revision, false).error();

  const Query& query = context.target.query;
  const auto expand = expanded_fields(query);
  if (!expand) return expand.error();
  const InfoFields fields(**repository, commit);
  const bool blobs = query.flag("blobs");
  const bool security = query.flag("securityStatus");
  if (!expand->empty()) {
    if (blobs || security) return api_error(400, "expand cannot be combined with blobs or securityStatus");
    return json_reply(expanded_info(fields, **repository, *expand));
  }
  json::Object out = full_info(fields, blobs, !context.world.passes_gate(context.user, **repository));
  if (security) out.append("securityRepoStatus", scan_status(commit));
  return json_reply(out);
}

}  // namespace modelwatch::testhub
