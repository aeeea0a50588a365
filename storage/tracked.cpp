#include "estimator/json/writer.h"
#include "storage/store_impl.h"

namespace modelwatch::storage {

namespace {

const std::string kSelect =
    "SELECT t.id, t.repository, t.name, r.hub_id, t.ref, t.history, t.polled, t.head, t.access, t.misses, t.first_miss,"
    " t.last_check, t.last_change, t.last_full_read, t.next_check, t.last_error, t.facts"
    " FROM tracked t LEFT JOIN repository r ON r.id = t.repository ";

Tracked read_row(const Statement& row) {
  Tracked tracked;
  tracked.id = row.integer(0);
  tracked.repository = row.integer(1);
  tracked.name = row.text(2);
  tracked.hub_id = row.text(3);
  tracked.ref = row.text(4);
  tracked.history.revisions.reset();
  if (!row.is_null(5)) tracked.history.revisions = static_cast<int>(row.integer(5));
  tracked.polled = row.integer(6) != 0;
  tracked.head = row.text(7);
  tracked.access = row.text(8);
  tracked.misses = static_cast<int>(row.integer(9));
  tracked.first_miss = row.optional_time(10);
  tracked.last_check = row.optional_time(11);
  tracked.last_change = row.optional_time(12);
  tracked.last_full_read = row.optional_time(13);
  tracked.next_check = row.optional_time(14);
  tracked.last_error = row.text(15);
  const json::Value facts = read_json(row.view(16));
  if (facts.object()) tracked.facts = *facts.object();
  return tracked;
}

template <class... Values>
std::optional<Tracked> one(Connection& db, const std::string& sql, const Values&... values) {
  Statement row = db.prepare(sql.c_str());
  row.bind(values...);
  if (!row.step()) return std::nullopt;
  return read_row(row);
}

/// Present name first, then former ones, the latest holder of the name first.
std::optional<Tracked> find_row(Connection& db, std::string_view name, std::string_view ref) {
  if (auto present = tracked_by_name(db, name, ref)) return present;
  Statement holders = db.prepare("SELECT repository FROM alias WHERE name = ? ORDER BY until IS NULL DESC, until DESC, id DESC");
  holders.bind(name);
  while (holders.step())
    if (auto former = tracked_of(db, holders.integer(0), ref)) return former;
  return std::nullopt;
}

}  // namespace

std::optional<Tracked> tracked_by_id(Connection& db, std::int64_t id) {
  static const std::string sql = kSelect + "WHERE t.id = ?";
  return one(db, sql, id);
}

std::optional<Tracked> tracked_by_name(Connection& db, std::string_view name, std::string_view ref) {
  static const std::string sql = kSelect + "WHERE t.name = ? AND t.ref = ? AND t.access <> 'taken-over'";
  return one(db, sql, name, ref);
}

std::optional<Tracked> tracked_of(Connection& db, std::int64_t repository, std::string_view ref) {
  static const std::string sql = kSelect + "WHERE t.repository = ? AND t.ref = ?";
  return one(db, sql, repository, ref);
}

std::optional<std::int64_t> repository_named(Connection& db, std::string_view name) {
  Statement row =
      db.prepare("SELECT repository FROM alias WHERE name = ? ORDER BY until IS NULL DESC, until DESC, id DESC LIMIT 1");
  row.bind(name);
  if (!row.step()) return std::nullopt;
  return row.integer(0);
}

Error not_tracked(Connection& db, std::string_view name, std::string_view ref) {
  std::string refs;
  Statement rows = db.prepare(
      "SELECT ref FROM tracked WHERE name = ?1 AND access <> 'taken-over' UNION "
      "SELECT t.ref FROM alias a JOIN tracked t ON t.repository = a.repository WHERE a.name = ?1");
  rows.bind(name);
  while (rows.step()) refs += (refs.empty() ? "" : ", ") + rows.text(0);
  const std::string wanted(name);
  if (refs.empty()) return {ErrorKind::not_found, wanted + " is not tracked", "modelwatch repo add " + wanted};
  return {ErrorKind::not_found, wanted + " is tracked at " + refs + ", not at " + std::string(ref),
          "modelwatch repo add " + wanted + " --ref " + std::string(ref)};
}

Result<void> update_row(Connection& db, const Tracked& row) {
  Statement change = db.prepare(
      "UPDATE tracked SET access = ?2, misses = ?3, first_miss = ?4, last_check = ?5, last_change = ?6, last_full_read = ?7,"
      " next_check = ?8, last_error = ?9, facts = ?10, base_model = ?11 WHERE id = ?1");
  const json::Value* base = row.facts.find("base_model");
  change.bind(row.id, row.access, row.misses, row.first_miss, row.last_check, row.last_change, row.last_full_read,
              row.next_check, row.last_error, json::write(row.facts), base && base->string() ? *base->string() : std::string())
      .run();
  if (db.changes() == 0) return fail(ErrorKind::not_found, row.name + " is no longer tracked");
  return {};
}

Result<Tracked> Store::track(std::string_view name, std::string_view ref, History history, Time now) {
  Connection& db = impl_->db;
  return impl_->write([&]() -> Result<Tracked> {
    if (auto known = tracked_by_name(db, name, ref)) {
      Statement change = db.prepare("UPDATE tracked SET history = ?, polled = 1 WHERE id = ?");
      change.bind(history.revisions, known->id).run();
    } else {
      // A former name gets a row of its own: whether it leads to the renamed repository or has a new holder shows at
      // the next answer, and then `identify` joins the rows or tells of a takeover.
      Statement add = db.prepare("INSERT INTO tracked (name, ref, history, polled, added) VALUES (?, ?, ?, 1, ?)");
      add.bind(name, ref, history.revisions, now).run();
    }
    return *tracked_by_name(db, name, ref);
  });
}

Result<void> Store::untrack(std::string_view name, bool purge_history) {
  Connection& db = impl_->db;
  return impl_->write([&]() -> Result<void> {
    std::optional<std::int64_t> repository;  // none where it was never seen
    bool present = false;
    {
      Statement row = db.prepare("SELECT repository FROM tracked WHERE name = ? AND access <> 'taken-over' LIMIT 1");
      row.bind(name);
      present = row.step();
      if (present && !row.is_null(0)) repository = row.integer(0);
    }
    if (!present) {
      repository = repository_named(db, name);
      if (!repository) return tl::unexpected(not_tracked(db, name, "main"));
    }
    if (purge_history) {
      if (repository) purge(db, *repository);
      else db.prepare("DELETE FROM tracked WHERE name = ? AND access <> 'taken-over' AND repository IS NULL").bind(name).run();
    } else {
      db.prepare("UPDATE tracked SET polled = 0 WHERE name = ? AND access <> 'taken-over'").bind(name).run();
      db.prepare("UPDATE tracked SET polled = 0 WHERE repository = ?").bind(repository).run();
    }
    return {};
  });
}

Result<std::vector<Tracked>> Store::tracked() {
  return impl_->read([&]() -> Result<std::vector<Tracked>> {
    static const std::string sql = kSelect + "ORDER BY t.name, t.ref";
    std::vector<Tracked> all;
    Statement rows = impl_->db.prepare(sql.c_str());
    while (rows.step()) all.push_back(read_row(rows));
    return all;
  });
}

Result<std::vector<Tracked>> Store::tracked(std::int64_t after, int limit) {
  return impl_->read([&]() -> Result<std::vector<Tracked>> {
    static const std::string sql = kSelect + "WHERE t.id > ? ORDER BY t.id LIMIT ?";
    std::vector<Tracked> page;
    Statement rows = impl_->db.prepare(sql.c_str());
    rows.bind(after, limit);
    while (rows.step()) page.push_back(read_row(rows));
    return page;
  });
}

Result<std::vector<Tracked>> Store::derived_from(std::string_view base_model, std::int64_t after, int limit) {
  return impl_->read([&]() -> Result<std::vector<Tracked>> {
    static const std::string sql = kSelect + "WHERE t.base_model = ? AND t.id > ? ORDER BY t.id LIMIT ?";
    std::vector<Tracked> page;
    Statement rows = impl_->db.prepare(sql.c_str());
    rows.bind(base_model, after, limit);
    while (rows.step()) page.push_back(read_row(rows));
    return page;
  });
}

Result<std::vector<Polled>> Store::polled() {
  return impl_->read([&]() -> Result<std::vector<Polled>> {
    std::vector<Polled> all;
    Statement rows = impl_->db.prepare("SELECT id, name, ref, next_check FROM tracked WHERE polled = 1 ORDER BY next_check");
    while (rows.step()) all.push_back({rows.integer(0), rows.text(1), rows.text(2), rows.optional_time(3)});
    return all;
  });
}

Result<Tracked> Store::find(std::string_view name, std::string_view ref) {
  return impl_->read([&]() -> Result<Tracked> {
    if (auto found = find_row(impl_->db, name, ref)) return std::move(*found);
    return tl::unexpected(not_tracked(impl_->db, name, ref));
  });
}

Result<void> Store::update(const Tracked& row) {
  return impl_->write([&]() -> Result<void> { return update_row(impl_->db, row); });
}

Result<bool> Store::lease(std::int64_t tracked, std::string_view holder, Time now, Time until) {
  return impl_->write([&]() -> Result<bool> {
    Statement take = impl_->db.prepare(
        "UPDATE tracked SET lease_holder = ?2, lease_until = ?4"
        " WHERE id = ?1 AND (lease_until IS NULL OR lease_until <= ?3 OR lease_holder = ?2)");
    take.bind(tracked, holder, now, until).run();
    return impl_->db.changes() == 1;
  });
}

Result<void> Store::release(std::int64_t tracked, std::string_view holder) {
  return impl_->write([&]() -> Result<void> {
    Statement give =
        impl_->db.prepare("UPDATE tracked SET lease_holder = NULL, lease_until = NULL WHERE id = ? AND lease_holder = ?");
    give.bind(tracked, holder).run();
    return {};
  });
}

}  // namespace modelwatch::storage
