#include <sqlite3.h>

#include <algorithm>
#include <iterator>

#include "estimator/json/writer.h"
#include "storage/store_impl.h"

namespace modelwatch::storage {

namespace {

using advisories::Advisory;

std::int64_t write_document(Connection& db, const advisories::FeedIdentity& feed, std::int64_t repository, const Advisory& advisory) {
  Statement row = db.prepare(
      "INSERT INTO advisory (id, repository, introduced, impact, modified, significant, withdrawn, document)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (id) DO UPDATE"
      " SET impact = ?4, modified = ?5, significant = ?6, withdrawn = ?7, document = ?8 RETURNING row");
  row.bind(advisory.id, repository, advisory.introduced, static_cast<int>(advisory.impact), advisory.modified,
           advisory.significant_at, advisory.withdrawn, json::write(advisories::to_osv(advisory, feed)));
  row.step();
  const std::int64_t written = row.integer(0);
  row.run();
  return written;
}

std::vector<std::string> versions_of(Connection& db, std::int64_t advisory) {
  std::vector<std::string> versions;
  Statement rows = db.prepare("SELECT sha FROM advisory_version WHERE advisory = ? ORDER BY sha");
  rows.bind(advisory);
  while (rows.step()) versions.push_back(rows.text(0));
  return versions;
}

/// Usually one is new of many: only the difference is written.
void write_versions(Connection& db, std::int64_t advisory, std::vector<std::string> wanted) {
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  const std::vector<std::string> there = versions_of(db, advisory);
  std::vector<std::string> missing, superfluous;
  std::set_difference(wanted.begin(), wanted.end(), there.begin(), there.end(), std::back_inserter(missing));
  std::set_difference(there.begin(), there.end(), wanted.begin(), wanted.end(), std::back_inserter(superfluous));
  for (const std::string& sha : missing)
    db.prepare("INSERT INTO advisory_version (advisory, sha) VALUES (?, ?)").bind(advisory, sha).run();
  for (const std::string& sha : superfluous)
    db.prepare("DELETE FROM advisory_version WHERE advisory = ? AND sha = ?").bind(advisory, sha).run();
}

/// The change or event of the stream that a new advisory tells of gets its id.
void link_to_change(Connection& db, std::int64_t repository, std::int64_t revision, const Advisory& advisory) {
  const bool of_repository = advisory.part == advisories::Part::repository;
  const std::string event = of_repository ? advisory.kind : "change";
  Statement here = db.prepare("UPDATE change SET advisory = ?1 WHERE revision = ?2 AND event = ?3 AND part = ?4");
  here.bind(advisory.id, revision, event, name(advisory.part)).run();
  if (db.changes() != 0 || !of_repository) return;
  // A takeover is seen before the newcomer's first revision is.
  Statement earlier = db.prepare(
      "UPDATE change SET advisory = ?1 WHERE sequence = (SELECT max(sequence) FROM change"
      " WHERE repository = ?2 AND event = ?3 AND revision IS NULL)");
  earlier.bind(advisory.id, repository, event).run();
}

Advisory read_document(std::string_view document) {
  auto advisory = advisories::from_osv(read_json(document));
  if (!advisory) throw SqliteError(SQLITE_CORRUPT, "stored advisory cannot be read: " + advisory.error().message);
  return std::move(*advisory);
}

}  // namespace

Time next_clock(Connection& db, Time now) {
  const Time last(std::chrono::seconds(db.integer("SELECT last FROM feed_clock WHERE one = 1")));
  return std::max(now, last + std::chrono::seconds(1));
}

void publish(Connection& db, const advisories::FeedIdentity& feed, std::int64_t repository, std::int64_t revision,
             const std::vector<Advisory>& advisories, Time clock) {
  if (advisories.empty()) return;
  for (const Advisory& advisory : advisories) {
    const std::int64_t row = write_document(db, feed, repository, advisory);
    write_versions(db, row, advisory.versions);
    if (advisory.published == clock) link_to_change(db, repository, revision, advisory);
  }
  db.prepare("UPDATE feed_clock SET last = ? WHERE one = 1").bind(clock).run();
}

std::vector<Advisory> advisories_of(Connection& db, std::int64_t repository) {
  std::vector<Advisory> all;
  Statement rows = db.prepare("SELECT document FROM advisory WHERE repository = ? ORDER BY modified DESC, id");
  rows.bind(repository);
  while (rows.step()) all.push_back(read_document(rows.view(0)));
  return all;
}

Result<std::vector<Advisory>> Store::all_advisories(std::int64_t repository) {
  return impl_->read([&]() -> Result<std::vector<Advisory>> { return advisories_of(impl_->db, repository); });
}

Result<std::vector<Advisory>> Store::advisories_at(std::int64_t repository, std::string_view sha) {
  return impl_->read([&]() -> Result<std::vector<Advisory>> {
    std::vector<Advisory> found;
    Statement rows = impl_->db.prepare(
        "SELECT a.document FROM advisory_version v JOIN advisory a ON a.row = v.advisory"
        " WHERE v.sha = ? AND a.repository = ? AND a.withdrawn IS NULL ORDER BY a.row");
    rows.bind(sha, repository);
    while (rows.step()) found.push_back(read_document(rows.view(0)));
    return found;
  });
}

}  // namespace modelwatch::storage
