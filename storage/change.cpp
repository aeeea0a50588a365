#include "estimator/json/writer.h"
#include "storage/instant.h"
#include "storage/store_impl.h"

namespace modelwatch::storage {

namespace {

const std::string kSelect =
    "SELECT c.sequence, p.name, r.sha, c.event, r.committed, c.seen, c.part, c.impact, c.summary, c.findings, c.advisory,"
    " r.plan_change, c.detail FROM change c JOIN repository p ON p.id = c.repository LEFT JOIN revision r ON r.id = c.revision ";

ChangeRow read_row(const Statement& row) {
  ChangeRow change;
  change.sequence = row.integer(0);
  change.repository = row.text(1);
  change.sha = row.text(2);
  change.event = row.text(3);
  change.seen = row.time(5);
  change.committed = row.is_null(4) ? change.seen : row.time(4);
  change.part = advisories::part_named(row.view(6)).value_or(advisories::Part::other);
  change.impact = static_cast<advisories::Impact>(row.integer(7));
  change.summary = row.text(8);
  change.findings = read_json(row.view(9));
  change.advisory = row.text(10);
  if (change.event == "change") change.plan = read_json(row.view(11));
  if (const json::Value detail = read_json(row.view(12)); detail.object()) change.detail = *detail.object();
  return change;
}

std::vector<ChangeRow> read_rows(Statement& rows) {
  std::vector<ChangeRow> changes;
  while (rows.step()) changes.push_back(read_row(rows));
  return changes;
}

/// The sequence before the first change observed at `since` or later; of the last change where there is none.
std::int64_t before(Connection& db, Time since) {
  Statement first = db.prepare("SELECT min(sequence) - 1 FROM change WHERE seen >= ?");
  first.bind(since);
  if (first.step() && !first.is_null(0)) return first.integer(0);
  return db.integer("SELECT coalesce(max(sequence), 0) FROM change");
}

/// Of every holder the name has or had: what happened to what one knows by this name.
Statement of_name(Connection& db) {
  static const std::string sql = kSelect +
                                 "WHERE c.repository IN (SELECT repository FROM alias WHERE name = ?4) AND c.sequence > ?1"
                                 " AND c.impact >= ?2 AND (?5 IS NULL OR c.part = ?5) ORDER BY c.sequence LIMIT ?3";
  return db.prepare(sql.c_str());
}

Statement of_part(Connection& db) {
  static const std::string sql =
      kSelect + "WHERE c.part = ?4 AND c.sequence > ?1 AND c.impact >= ?2 ORDER BY c.sequence LIMIT ?3";
  return db.prepare(sql.c_str());
}

Statement of_all(Connection& db) {
  static const std::string sql = kSelect + "WHERE c.sequence > ?1 AND c.impact >= ?2 ORDER BY c.sequence LIMIT ?3";
  return db.prepare(sql.c_str());
}

}  // namespace

void write_event(Connection& db, std::int64_t repository, std::int64_t revision, const RepositoryEvent& event) {
  Statement row = db.prepare(
      "INSERT INTO change (repository, revision, event, part, impact, seen, summary, findings, detail)"
      " VALUES (?, ?, ?, 'repository', ?, ?, ?, '[]', ?)");
  row.bind(repository, revision ? std::optional(revision) : std::nullopt, event.kind, static_cast<int>(event.impact), event.at,
           event.meaning, json::write(event.detail)).run();
}

std::vector<ChangeRow> changes_of_revision(Connection& db, std::int64_t revision) {
  static const std::string sql = kSelect + "WHERE c.revision = ? ORDER BY c.sequence";
  Statement rows = db.prepare(sql.c_str());
  rows.bind(revision);
  return read_rows(rows);
}

Result<std::vector<ChangeRow>> Store::changes(const ChangeFilter& filter, int limit) {
  Connection& db = impl_->db;
  return impl_->read([&]() -> Result<std::vector<ChangeRow>> {
    std::int64_t after = filter.after;
    if (filter.since) after = std::max(after, before(db, *filter.since));
    const int gravity = static_cast<int>(filter.at_least.value_or(advisories::Impact::cosmetic));
    const std::optional<std::string_view> part = filter.part ? std::optional(name(*filter.part)) : std::nullopt;
    const int most = limit > 0 ? limit : -1;
    if (filter.repository) {
      if (!repository_named(db, *filter.repository) && !tracked_by_name(db, *filter.repository, "main"))
        return tl::unexpected(not_tracked(db, *filter.repository, "main"));
      Statement rows = of_name(db);
      return read_rows(rows.bind(after, gravity, most, *filter.repository, part));
    }
    Statement rows = part ? of_part(db) : of_all(db);
    if (part) return read_rows(rows.bind(after, gravity, most, *part));
    return read_rows(rows.bind(after, gravity, most));
  });
}

Result<std::int64_t> Store::cursor(std::string_view since) {
  Connection& db = impl_->db;
  return impl_->read([&]() -> Result<std::int64_t> {
    if (const auto sequence = parse_cursor(since)) return *sequence;
    if (const auto time = parse_instant(since)) return before(db, *time);
    Statement row = db.prepare("SELECT max(sequence) FROM change WHERE advisory = ?");
    row.bind(since);
    if (row.step() && !row.is_null(0)) return row.integer(0);
    return fail(ErrorKind::usage, "\"" + std::string(since) + "\" is no cursor, date or known advisory",
                "a number from a change, a date as 2026-08-20 or 2026-08-20T09:12:04Z, or the id of an advisory");
  });
}

}  // namespace modelwatch::storage
