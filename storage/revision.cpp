#include <algorithm>
#include <limits>

#include "storage/store_impl.h"

namespace modelwatch::storage {

namespace {

constexpr std::size_t kShortestPrefix = 7;

std::vector<std::string> advisories_introduced(Connection& db, std::int64_t repository, const std::string& sha) {
  std::vector<std::string> ids;
  Statement rows = db.prepare("SELECT id FROM advisory WHERE repository = ? AND introduced = ? ORDER BY id");
  rows.bind(repository, sha);
  while (rows.step()) ids.push_back(rows.text(0));
  return ids;
}

const std::string kColumns =
    "SELECT r.sha, r.parent, r.title, r.authors, r.committed, r.seen, r.rewritten, r.parts, r.impact, r.plan ";

RevisionRow read_row(Connection& db, const Statement& row, std::int64_t repository) {
  RevisionRow revision;
  revision.sha = row.text(0);
  revision.parent = row.text(1);
  revision.title = row.text(2);
  revision.authors = names_from_json(row.view(3));
  revision.committed = row.time(4);
  revision.seen = row.time(5);
  revision.baseline = revision.parent.empty();
  revision.rewritten = row.integer(6) != 0;
  const json::Value parts = read_json(row.view(7));
  for (const auto& [key, what] : *parts.object())
    if (const auto part = advisories::part_named(key)) revision.parts.emplace_back(*part, *what.string());
  revision.impact = static_cast<advisories::Impact>(row.integer(8));
  revision.advisories = advisories_introduced(db, repository, revision.sha);
  return revision;
}

bool is_hex(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

std::string lowered(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return lower;
}

/// What people write for a revision, as the row it means: a ref's head first, then a sha or the start of one.
Result<std::int64_t> resolve(Connection& db, std::int64_t repository, const std::string& name, std::string_view revision) {
  const std::string wanted(revision);
  if (const auto tracked = tracked_of(db, repository, revision)) {
    if (const auto head = revision_row(db, repository, tracked->head)) return *head;
    return fail(ErrorKind::not_found, name + "@" + wanted + " was not read yet", "modelwatch repo check " + name);
  }
  const std::string sha = lowered(revision);
  if (!is_hex(sha) || sha.size() < kShortestPrefix)
    return fail(ErrorKind::not_found, name + " is not tracked at " + wanted,
                "a tracked ref, or at least 7 digits of a sha from: modelwatch revisions " + name);
  Statement rows = db.prepare("SELECT id FROM revision WHERE repository = ? AND sha >= ? AND sha < ? LIMIT 2");
  rows.bind(repository, sha, sha + "g");
  if (!rows.step())
    return fail(ErrorKind::not_found, name + " has no stored revision " + wanted, "modelwatch revisions " + name + " --limit 0");
  const std::int64_t found = rows.integer(0);
  if (rows.step()) return fail(ErrorKind::usage, "more than one revision of " + name + " begins with " + wanted, "more digits");
  return found;
}

/// The tracked row whose history has the revision, else any of the repository.
std::optional<Tracked> tracked_with(Connection& db, std::int64_t repository, std::int64_t revision) {
  Statement row = db.prepare(
      "SELECT t.id FROM tracked t LEFT JOIN place p ON p.tracked = t.id AND p.revision = ?2 WHERE t.repository = ?1"
      " ORDER BY p.revision IS NULL, t.id LIMIT 1");
  row.bind(repository, revision);
  if (!row.step()) return std::nullopt;
  return tracked_by_id(db, row.integer(0));
}

}  // namespace

Result<std::vector<RevisionRow>> Store::revisions(std::string_view name, std::string_view ref, int limit, std::string_view before_sha) {
  Connection& db = impl_->db;
  return impl_->read([&]() -> Result<std::vector<RevisionRow>> {
    const auto tracked = find(name, ref);
    if (!tracked) return tl::unexpected(tracked.error());
    std::int64_t before = std::numeric_limits<std::int64_t>::max();
    if (!before_sha.empty()) {
      Statement place = db.prepare(
          "SELECT p.position FROM revision r JOIN place p ON p.revision = r.id AND p.tracked = ?3 WHERE r.repository = ?1 AND r.sha = ?2");
      place.bind(tracked->repository, before_sha, tracked->id);
      if (!place.step()) return fail(ErrorKind::not_found, std::string(before_sha) + " is no revision of " + tracked->name);
      before = place.integer(0);
    }
    std::vector<RevisionRow> found;
    static const std::string sql = kColumns +
                                   "FROM place p JOIN revision r ON r.id = p.revision"
                                   " WHERE p.tracked = ? AND p.position < ? ORDER BY p.position DESC LIMIT ?";
    Statement rows = db.prepare(sql.c_str());
    rows.bind(tracked->id, before, limit > 0 ? limit : -1);
    while (rows.step()) found.push_back(read_row(db, rows, tracked->repository));
    return found;
  });
}

Result<Store::RevisionDetail> Store::revision(std::string_view name, std::string_view wanted) {
  Connection& db = impl_->db;
  return impl_->read([&]() -> Result<RevisionDetail> {
    const auto repository = repository_named(db, name);
    if (!repository) return tl::unexpected(not_tracked(db, name, wanted));
    const auto revision = resolve(db, *repository, std::string(name), wanted);
    if (!revision) return tl::unexpected(revision.error());
    static const std::string sql = kColumns + "FROM revision r WHERE r.id = ?";
    Statement row = db.prepare(sql.c_str());
    row.bind(*revision);
    row.step();
    RevisionDetail detail;
    detail.row = read_row(db, row, *repository);
    detail.plan = read_json(row.view(9));
    auto tracked = tracked_of(db, *repository, wanted);
    if (!tracked) tracked = tracked_with(db, *repository, *revision);
    if (tracked) detail.tracked = std::move(*tracked);
    detail.files = files_of(db, *revision);
    detail.changes = changes_of_revision(db, *revision);
    return detail;
  });
}

}  // namespace modelwatch::storage
