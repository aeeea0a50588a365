#include <algorithm>
#include <set>

#include "advisories/manifest/files.h"
#include "estimator/json/writer.h"
#include "storage/blob.h"
#include "storage/store_impl.h"

namespace modelwatch::storage {

namespace {

using advisories::Change;
using advisories::Impact;
using advisories::ListedFile;
using advisories::Part;
using advisories::States;

std::int64_t path_row(Connection& db, const std::string& path) {
  Statement find = db.prepare("SELECT id FROM path WHERE path = ?");
  find.bind(path);
  if (find.step()) return find.integer(0);
  db.prepare("INSERT INTO path (path) VALUES (?)").bind(path).run();
  return db.last_row();
}

std::int64_t object_row(Connection& db, const ListedFile& file) {
  const std::string_view sha256 = file.lfs ? std::string_view(file.lfs->sha256) : "";
  const std::uint64_t lfs_size = file.lfs ? file.lfs->size : 0;
  const std::int64_t pointer_size = file.lfs ? static_cast<std::int64_t>(file.lfs->pointer_size) : -1;
  Statement find = db.prepare(
      "SELECT id FROM object WHERE oid = ? AND lfs_sha256 = ? AND size = ? AND lfs_size = ? AND pointer_size = ?");
  find.bind(file.oid, sha256, file.size, lfs_size, pointer_size);
  if (find.step()) return find.integer(0);
  Statement add = db.prepare(
      "INSERT INTO object (oid, lfs_sha256, size, lfs_size, pointer_size, identity) VALUES (?, ?, ?, ?, ?, ?)");
  add.bind(file.oid, sha256, file.size, lfs_size, pointer_size, file.identity()).run();
  return db.last_row();
}

void write_blob(Connection& db, std::string_view identity, const std::string& bytes) {
  Statement there = db.prepare("SELECT 1 FROM blob WHERE identity = ?");
  there.bind(identity);
  if (there.step()) return;
  const std::string frame = compress(bytes);
  db.prepare("INSERT INTO blob (identity, size, zstd) VALUES (?, ?, ?)").bind(identity, bytes.size(), Blob{frame}).run();
}

void write_files(Connection& db, std::int64_t revision, const std::vector<StoredFile>& files) {
  for (const StoredFile& file : files) {
    if (file.bytes) write_blob(db, file.file.identity(), *file.bytes);
    const std::optional<std::string> not_read = file.not_read.empty() ? std::nullopt : std::optional(file.not_read);
    Statement row = db.prepare("INSERT INTO file (revision, path, object, not_read) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING");
    row.bind(revision, path_row(db, file.file.path), object_row(db, file.file), not_read).run();
  }
}

void write_states(Connection& db, std::int64_t repository, std::int64_t revision, const States& states) {
  for (const auto& [part, digest] : states)
    db.prepare("INSERT INTO state (revision, part, digest, repository) VALUES (?, ?, ?, ?)")
        .bind(revision, name(part), digest, repository)
        .run();
}

void write_change(Connection& db, std::int64_t repository, std::int64_t revision, const Change& change, Time seen) {
  json::Array findings;
  for (const advisories::Finding& finding : change.findings) findings.push_back(to_json(finding));
  Statement row = db.prepare(
      "INSERT INTO change (repository, revision, event, part, impact, seen, summary, findings, detail)"
      " VALUES (?, ?, 'change', ?, ?, ?, ?, ?, '{}')");
  row.bind(repository, revision, name(change.part), static_cast<int>(change.impact), seen, change.summary,
           json::write(std::move(findings)))
      .run();
}

/// What became of each part against the predecessor: a part means the same where its digest is the same and no
/// finding says otherwise.
json::Object parts_of(const RevisionRecord& record, const States& before) {
  std::set<Part> present, unreadable;
  for (const auto& [part, digest] : before) present.insert(part);
  for (const auto& [part, digest] : record.states) present.insert(part);
  for (const StoredFile& file : record.files)
    if (!file.not_read.empty()) unreadable.insert(advisories::part_of(file.file.path));
  if (record.diff)
    for (const advisories::Unreadable& file : record.diff->unreadable)
      if (file.side == "after") unreadable.insert(advisories::part_of(file.path));

  json::Object parts;
  for (const Part part : present) {
    const auto was = before.find(part), is = record.states.find(part);
    std::string what = "same";
    if (is == record.states.end()) what = "removed";
    else if (unreadable.contains(part)) what = "unreadable";
    else if (record.diff && was == before.end()) what = "added";
    else if (record.diff && was->second != is->second) what = "changed";
    parts.append(std::string(name(part)), what);
  }
  if (!record.diff) return parts;
  for (const Change& change : record.diff->parts) {
    json::Value* what = parts.find(name(change.part));
    if (what && *what->string() == "same" && change.impact > Impact::cosmetic) *what = "changed";
  }
  return parts;
}

States states_before(Connection& db, std::int64_t repository, const std::string& parent) {
  const auto row = revision_row(db, repository, parent);
  return row ? states_of(db, *row) : States{};
}

std::int64_t next_position(Connection& db, std::int64_t tracked) {
  Statement last = db.prepare("SELECT max(position) FROM place WHERE tracked = ?");
  last.bind(tracked);
  return last.step() ? last.integer(0) + 1 : 1;
}

/// A revision that comes to the ref again, by a force-push back, stands at its latest place.
void write_place(Connection& db, std::int64_t tracked, std::int64_t revision) {
  const std::int64_t position = next_position(db, tracked);
  Statement row = db.prepare(
      "INSERT INTO place (tracked, position, revision) VALUES (?1, ?2, ?3)"
      " ON CONFLICT (revision, tracked) DO UPDATE SET position = ?2");
  row.bind(tracked, position, revision).run();
}

}  // namespace

std::int64_t write_revision(Connection& db, std::int64_t repository, const RevisionRecord& record) {
  const json::Object parts = parts_of(record, states_before(db, repository, record.parent));
  Statement row = db.prepare(
      "INSERT INTO revision (repository, sha, parent, committed, seen, title, authors, rewritten, impact, parts, plan, plan_change)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  row.bind(repository, record.sha, record.parent, record.committed, record.seen, record.title, names_as_json(record.authors),
           record.rewritten, static_cast<int>(record.diff ? record.diff->impact : Impact::cosmetic), json::write(parts),
           json::write(record.plan), json::write(record.diff ? record.diff->plan : json::Value()))
      .run();
  const std::int64_t revision = db.last_row();
  write_files(db, revision, record.files);
  write_states(db, repository, revision, record.states);
  return revision;
}

Result<void> Store::commit(const RevisionRecord& record, const Publish& publish_at) {
  Connection& db = impl_->db;
  return impl_->write([&]() -> Result<void> {
    const auto row = tracked_by_id(db, record.tracked);
    if (!row || row->repository == 0) return fail(ErrorKind::not_found, "the repository is no longer tracked");
    if (row->head == record.sha) return {};
    if (row->head != record.parent)
      return fail(ErrorKind::database, row->name + ": another process moved " + row->ref + " to " + row->head + " meanwhile",
                  "again");

    // Asked before the revision is there: what it finds of earlier states is earlier.
    const Time clock = next_clock(db, record.seen);
    const std::vector<advisories::Advisory> written = publish_at(clock);

    const auto known = revision_row(db, row->repository, record.sha);
    const std::int64_t revision = known ? *known : write_revision(db, row->repository, record);
    write_place(db, row->id, revision);
    if (record.event) write_event(db, row->repository, revision, *record.event);
    if (!known && record.diff)
      for (const Change& change : record.diff->parts) write_change(db, row->repository, revision, change, record.seen);
    publish(db, impl_->feed, row->repository, revision, written, clock);

    const std::optional<Time> changed = record.parent.empty() ? row->last_change : std::optional(record.seen);
    db.prepare("UPDATE tracked SET head = ?, last_change = ? WHERE id = ?").bind(record.sha, changed, row->id).run();
    return {};
  });
}

Result<void> Store::commit(const Tracked& row, const std::vector<RepositoryEvent>& events) {
  return impl_->write([&]() -> Result<void> {
    if (auto updated = update_row(impl_->db, row); !updated) return updated;
    if (row.repository == 0) return {};
    for (const RepositoryEvent& event : events) write_event(impl_->db, row.repository, 0, event);
    return {};
  });
}

}  // namespace modelwatch::storage
