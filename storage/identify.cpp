#include <set>

#include "advisories/osv/ledger.h"
#include "estimator/json/writer.h"
#include "storage/store_impl.h"

namespace modelwatch::storage {

namespace {

using advisories::Impact;

/// One answer of the Hub: what was asked for as `asked` is the repository with this `_id`, present name `name`. Whoever
/// else was known by one of the two names has lost it.
class Identification {
 public:
  Identification(Connection& db, const advisories::FeedIdentity& feed, Tracked row, std::string_view hub_id,
                 std::string_view name, Time now)
      : db_(db), feed_(feed), row_(std::move(row)), hub_id_(hub_id), asked_(row_.name), name_(name), now_(now) {}

  void run() {
    find_or_add_repository();
    for (const std::string& name : std::set<std::string>{asked_, name_}) {
      const auto holder = repository_named(db_, name);
      if (holder && *holder != repository_) take_over(*holder, name);
    }
    take_name();
    bind_rows();
  }
  std::int64_t repository() const { return repository_; }

 private:
  void find_or_add_repository() {
    {
      Statement find = db_.prepare("SELECT id, name FROM repository WHERE hub_id = ?");
      find.bind(hub_id_);
      if (find.step()) {
        repository_ = find.integer(0);
        last_name_ = find.text(1);
        return;
      }
    }
    db_.prepare("INSERT INTO repository (hub_id, name) VALUES (?, ?)").bind(hub_id_, name_).run();
    repository_ = db_.last_row();
  }

  void take_over(std::int64_t holder, const std::string& name) {
    std::string former_id, head;
    {
      Statement find = db_.prepare(
          "SELECT r.hub_id, t.head FROM repository r LEFT JOIN tracked t ON t.repository = r.id AND t.ref = ? WHERE r.id = ?");
      find.bind(row_.ref, holder);
      find.step();
      former_id = find.text(0);
      head = find.text(1);
    }
    db_.prepare("UPDATE alias SET until = ? WHERE repository = ? AND until IS NULL AND name = ?").bind(now_, holder, name).run();
    for (const std::int64_t row : rows_of(holder, name)) set_aside(row, holder);

    const json::Object detail = {{"name", name}, {"before", former_id}, {"after", hub_id_}, {"head", head}};
    const auto tell = [&](std::int64_t whom, const std::string& meaning) {
      write_event(db_, whom, 0, {"taken-over", now_, detail, Impact::security, meaning});
    };
    tell(holder, "Its name " + name + " now belongs to another repository");
    tell(repository_, "The name " + name + " belonged to another repository before");
    took_over_ = json::Object{{"hub_id", former_id}, {"head", head}};
  }

  std::vector<std::int64_t> rows_of(std::int64_t holder, const std::string& name) {
    std::vector<std::int64_t> ids;
    Statement rows = db_.prepare("SELECT id FROM tracked WHERE name = ? AND access <> 'taken-over' AND repository = ?");
    rows.bind(name, holder);
    while (rows.step()) ids.push_back(rows.integer(0));
    return ids;
  }

  /// The former holder keeps its history in a row of its own; the one that is polled is free for the newcomer.
  void set_aside(std::int64_t row, std::int64_t holder) {
    db_.prepare(
           "INSERT INTO tracked (name, ref, history, polled, head, access, misses, first_miss, last_check, last_change,"
           " last_full_read, last_error, facts, added)"
           " SELECT name, ref, history, 0, head, 'taken-over', misses, first_miss, last_check, last_change,"
           " last_full_read, last_error, facts, added FROM tracked WHERE id = ?")
        .bind(row).run();
    const std::int64_t aside = db_.last_row();
    db_.prepare("UPDATE place SET tracked = ? WHERE tracked = ?").bind(aside, row).run();
    db_.prepare(
           "UPDATE tracked SET repository = NULL, head = '', access = 'open', misses = 0, first_miss = NULL, last_change = NULL,"
           " last_full_read = NULL, facts = '{}' WHERE id = ?")
        .bind(row).run();
    db_.prepare("UPDATE tracked SET repository = ? WHERE id = ?").bind(holder, aside).run();
  }

  void take_name() {
    const auto has_now = [&] {
      Statement find = db_.prepare("SELECT 1 FROM alias WHERE repository = ? AND until IS NULL AND name = ?");
      find.bind(repository_, name_);
      return find.step();
    };
    if (!has_now()) {
      db_.prepare("UPDATE alias SET until = ? WHERE repository = ? AND until IS NULL").bind(now_, repository_).run();
      db_.prepare("INSERT INTO alias (repository, name, since) VALUES (?, ?, ?)").bind(repository_, name_, now_).run();
      db_.prepare("UPDATE repository SET name = ? WHERE id = ?").bind(name_, repository_).run();
      if (!last_name_.empty() && last_name_ != name_) tell_rename();
    }
    // Asked for under a name that only leads on: a former one that was not known.
    if (repository_named(db_, asked_) != repository_)
      db_.prepare("INSERT INTO alias (repository, name, since, until) VALUES (?1, ?2, ?3, ?3)").bind(repository_, asked_, now_).run();
  }

  void tell_rename() {
    write_event(db_, repository_, 0,
                {"renamed", now_, {{"before", last_name_}, {"after", name_}}, Impact::cosmetic, last_name_ + " is now " + name_});
    const Time clock = next_clock(db_, now_);
    publish(db_, feed_, repository_, 0, advisories::renamed(advisories_of(db_, repository_), name_, clock), clock);
  }

  /// Every row under one of the names that has no repository gets this one, or joins the row that has it at its ref.
  void bind_rows() {
    std::vector<Tracked> unbound;
    for (const std::string& name : std::set<std::string>{asked_, name_}) {
      Statement rows = db_.prepare("SELECT id FROM tracked WHERE name = ? AND access <> 'taken-over' AND repository IS NULL");
      rows.bind(name);
      while (rows.step()) unbound.push_back(*tracked_by_id(db_, rows.integer(0)));
    }
    for (const Tracked& row : unbound) bind(row);
    db_.prepare("UPDATE tracked SET name = ? WHERE repository = ?").bind(name_, repository_).run();
  }

  void bind(const Tracked& row) {
    if (const auto first = tracked_of(db_, repository_, row.ref)) {
      db_.prepare("DELETE FROM tracked WHERE id = ?").bind(row.id).run();
      if (row.polled)
        db_.prepare(
               "UPDATE tracked SET polled = 1, history = ?, name = ?, access = CASE access WHEN 'taken-over' THEN 'open' ELSE access END"
               " WHERE id = ?")
            .bind(row.history.revisions, name_, first->id).run();
      return;
    }
    const json::Object facts = row.id == row_.id && took_over_ ? json::Object{{"took_over", *took_over_}} : json::Object{};
    db_.prepare("UPDATE tracked SET repository = ?, facts = ? WHERE id = ?").bind(repository_, json::write(facts), row.id).run();
  }

  Connection& db_;
  const advisories::FeedIdentity& feed_;
  Tracked row_;
  std::string hub_id_, asked_, name_;
  Time now_;
  std::int64_t repository_ = 0;
  std::string last_name_;  ///< of a repository known before
  std::optional<json::Object> took_over_;
};

}  // namespace

Result<Tracked> Store::identify(std::int64_t tracked, std::string_view hub_id, std::string_view name, Time now) {
  Connection& db = impl_->db;
  return impl_->write([&]() -> Result<Tracked> {
    auto row = tracked_by_id(db, tracked);
    if (!row) return fail(ErrorKind::not_found, std::string(name) + " is no longer tracked");
    const std::string ref = row->ref;
    Identification answer(db, impl_->feed, std::move(*row), hub_id, name, now);
    answer.run();
    return *tracked_of(db, answer.repository(), ref);
  });
}

}  // namespace modelwatch::storage
