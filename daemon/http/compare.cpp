#include "advisories/diff/diff.h"
#include "advisories/diff/lint.h"
#include "daemon/http/handlers.h"
#include "storage/row_json.h"

namespace modelwatch::http {
namespace {

struct Revision {
  storage::RevisionRow row;
  storage::Tracked tracked;
  advisories::Snapshot snapshot;
};

Result<Revision> open_revision(const Call& call, const std::string& wanted) {
  storage::Store& store = call.backend.store;
  auto detail = store.revision(call.path.at("repo"), wanted);
  if (!detail) return tl::unexpected(detail.error());
  auto snapshot = store.snapshot(detail->tracked.repository, detail->row.sha);
  if (!snapshot) return tl::unexpected(snapshot.error());
  return Revision{std::move(detail->row), std::move(detail->tracked), std::move(*snapshot)};
}

}  // namespace

/// Any two stored revisions, in either direction: the document of `modelwatch diff`, and which revisions it compares.
Reply compare_revisions(const Call& call) {
  const Parameters parameters(call);
  if (const auto allowed = parameters.allow({"from", "to"}); !allowed) return error_reply(allowed.error());
  const std::string from = parameters.text("from"), to = call.request.parameter("to").value_or("main");
  if (from.empty()) return error_reply({ErrorKind::usage, "from is missing", "?from=<sha>&to=<sha or ref>"});
  const auto before = open_revision(call, from), after = open_revision(call, to);
  if (!before || !after) return error_reply(before ? after.error() : before.error());
  const json::Value diff = to_json(advisories::diff(before->snapshot, after->snapshot));
  json::Object document = *diff.object();
  document.append("repository", repository_json(after->tracked));
  document.append("from", before->row.sha);
  document.append("to", after->row.sha);
  return json_reply(document);
}

Reply lint_revision(const Call& call) {
  if (const auto allowed = Parameters(call).allow({}); !allowed) return error_reply(allowed.error());
  const auto revision = open_revision(call, call.path.at("revision"));
  if (!revision) return error_reply(revision.error());
  return json_reply(advisories::lint_json(advisories::lint(revision->snapshot)));
}

}  // namespace modelwatch::http
