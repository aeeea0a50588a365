#include <gmock/gmock.h>
#include <sqlite3.h>

#include <map>

#include "advisories/osv/ledger.h"
#include "tests/storage/database.h"

namespace modelwatch::storage {
namespace {

using advisories::Impact;
using advisories::Part;

sqlite3* opened = nullptr;  ///< the connection that a Store opened last

int remember(sqlite3* db, const char**, const sqlite3_api_routines*) {
  opened = db;
  return SQLITE_OK;
}

/// Calls every method of Store once, so that all its statements are prepared.
void use_everything(Store& store) {
  Writer a(store, "org/a", "a1"), b(store, "org/b", "b1");
  a.commit(sha(11), {}, {file("config.json", "{}"), lfs_file("model.safetensors", std::string(64, 'a'), 9)});
  RevisionRecord record = a.record(sha(12), {change(Part::config, Impact::breaking, "heads")}, {file("config.json", "{1}")});
  record.event = RepositoryEvent{"ref-moved", at(1), {}, Impact::unknown, "moved"};
  a.write(record);
  a.commit(sha(13), {change(Part::config, Impact::breaking, "more heads")});
  const Tracked row = a.row();
  must(store.find("org/a"));
  (void)store.find("org/unknown");
  must(store.polled());
  must(store.tracked(0, 5));
  must(store.derived_from("org/base", 0, 5));
  must(store.holders("identity", 5));
  must(store.lease(row.id, "test", at(0), at(1)));
  must(store.release(row.id, "test"));
  must(store.commit(row, {{"gated", at(1), {}, Impact::legal, "gated"}}));

  const auto snapshot = must(store.snapshot(row.repository, sha(11)));
  (void)snapshot.contents->read(*snapshot.listing.begin());
  must(store.has_blob("identity"));
  must(store.all_advisories(row.repository));
  must(store.advisories_at(row.repository, sha(12)));
  (void)store.earlier_state(row.repository, Part::config, "sha256:config");

  must(store.revisions("org/a", "main", 5));
  must(store.revisions("org/a", "main", 5, sha(12)));
  for (const std::string& wanted : {sha(12), std::string("main")}) must(store.revision("org/a", wanted));
  ChangeFilter filter;
  must(store.changes(filter, 5));
  filter.part = Part::config;
  filter.since = at(0);
  must(store.changes(filter, 5));
  filter.repository = "org/a";
  must(store.changes(filter, 5));
  must(store.cursor("2026-01-01"));
  (void)store.cursor("x_MODELWATCH-2026-000000000000");

  must(store.advisories_by_commit(sha(12), {}, 5));
  must(store.advisories_by_version("org/a", sha(12), {}, 5));
  must(store.advisories_by_package("org/a", {}, 5));
  must(store.documents("", {}, 5));
  must(store.documents("org/a", {}, 5));
  must(store.each_document([](std::string_view, Time) { return true; }, [](const DocumentRow&) {}));
  (void)store.advisory("x_MODELWATCH-2026-000000000000");
  must(store.news("", Impact::breaking, 5));
  must(store.news("org/a", Impact::breaking, 5));
  must(store.knows_commit(sha(12)));

  RevisionRecord withdrawing = a.record(sha(14), {});
  advisories::Advisory advisory = must(store.all_advisories(row.repository)).at(0);
  advisory.versions = {sha(77)};
  must(store.commit(withdrawing, [&](Time) { return std::vector{advisory}; }));
  must(store.identify(row.id, "a1", "org/renamed", at(2)));
  must(store.identify(row.id, "c1", "org/renamed", at(3)));
  must(store.track("org/old", "main", {}, at(4)));
  must(store.identify(must(store.find("org/old")).id, "c1", "org/renamed", at(4)));
  must(store.untrack("org/renamed", false));
  must(store.track("org/unseen", "main", {}, at(5)));
  must(store.untrack("org/unseen", true));
  must(store.untrack("org/b", true));
}

std::vector<std::string> plan(const std::string& sql) {
  std::vector<std::string> lines;
  sqlite3_stmt* rows = nullptr;
  EXPECT_EQ(sqlite3_prepare_v2(opened, ("EXPLAIN QUERY PLAN " + sql).c_str(), -1, &rows, nullptr), SQLITE_OK) << sql;
  while (sqlite3_step(rows) == SQLITE_ROW) lines.emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(rows, 3)));
  sqlite3_finalize(rows);
  return lines;
}

/// A line of a plan that walks a whole table: a scan without an index, or with an index only to save the sorting.
bool walks_a_table(const std::string& line, const std::string& sql) {
  if (!line.starts_with("SCAN")) return false;
  if (line.starts_with("SCAN purged_")) return false;  // the temporary list of what a purge looks at
  // What is asked for is everything: all tracked rows, all documents, in the order of an index.
  static const std::map<std::string, std::string> whole = {
      {"SCAN t USING INDEX tracked_listing", "ORDER BY t.name, t.ref"},
      {"SCAN advisory USING COVERING INDEX advisory_by_time", "SELECT row, id, modified FROM advisory"},
      {"SCAN advisory USING INDEX advisory_by_news", "ORDER BY significant DESC, id LIMIT"}};
  const auto known = whole.find(line);
  return known == whole.end() || sql.find(known->second) == std::string::npos;
}

std::vector<std::string> column(const std::string& sql) {
  std::vector<std::string> values;
  sqlite3_stmt* rows = nullptr;
  EXPECT_EQ(sqlite3_prepare_v2(opened, sql.c_str(), -1, &rows, nullptr), SQLITE_OK) << sql;
  while (sqlite3_step(rows) == SQLITE_ROW) values.emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(rows, 0)));
  sqlite3_finalize(rows);
  return values;
}

Store open_remembered() {
  sqlite3_auto_extension(reinterpret_cast<void (*)()>(remember));
  Store store = open(":memory:");
  sqlite3_cancel_auto_extension(reinterpret_cast<void (*)()>(remember));
  return store;
}

TEST(QueryPlan, EveryStatementOfTheStoreUsesAnIndex) {
  Store store = open_remembered();
  use_everything(store);

  std::vector<std::string> statements;
  for (sqlite3_stmt* s = sqlite3_next_stmt(opened, nullptr); s; s = sqlite3_next_stmt(opened, s)) statements.emplace_back(sqlite3_sql(s));
  EXPECT_GT(statements.size(), 70U) << "statements are kept once prepared";
  for (const std::string& sql : statements)
    for (const std::string& line : plan(sql)) EXPECT_FALSE(walks_a_table(line, sql)) << line << "\n  in " << sql;
}

/// What points to a deleted row is looked for by index as well; a plan does not show that.
TEST(QueryPlan, EveryForeignKeyHasAnIndex) {
  const Store store = open_remembered();
  const auto keys = column("SELECT t.name || ' ' || k.\"from\" FROM sqlite_schema t, pragma_foreign_key_list(t.name) k WHERE t.type = 'table'");
  EXPECT_GT(keys.size(), 10U);
  for (const std::string& key : keys) {
    const std::string table = key.substr(0, key.find(' ')), from = key.substr(key.find(' ') + 1);
    const auto lines = plan("SELECT 1 FROM " + table + " WHERE " + from + " = 1");
    EXPECT_TRUE(lines.at(0).starts_with("SEARCH")) << key << ": " << lines.at(0);
  }
}

}  // namespace
}  // namespace modelwatch::storage
