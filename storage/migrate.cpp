#include <string>

#include "storage/migrations.h"
#include "storage/sqlite.h"

namespace modelwatch::storage {

namespace {

int newest() { return migrations().back().version; }

std::int64_t version(Connection& db) { return db.integer("PRAGMA user_version"); }

/// What no version of this program could use, as a refusal.
void refuse_foreign(Connection& db) {
  const std::int64_t found = version(db);
  const bool ours = db.integer("PRAGMA application_id") == kApplicationId;
  if (!ours && (found != 0 || db.integer("SELECT count(*) FROM sqlite_schema") != 0)) {
    throw SchemaRefused("is a database of another program", "another file for --db");
  }
  if (found > newest()) {
    throw SchemaRefused("has schema " + std::to_string(found) + "; this program knows schemas up to " +
                            std::to_string(newest()),
                        "the newer modelwatch that wrote it");
  }
}

void apply(Connection& db, const Migration& migration) {
  Transaction transaction(db, Transaction::Kind::write);
  if (version(db) >= migration.version) return;  // another process was faster
  db.execute(std::string(migration.sql));
  db.execute("PRAGMA user_version = " + std::to_string(migration.version));
  transaction.commit();
}

}  // namespace

void migrate(Connection& db) {
  refuse_foreign(db);
  for (const Migration& migration : migrations()) {
    if (version(db) < migration.version) apply(db, migration);
  }
}

void require_current(Connection& db) {
  refuse_foreign(db);
  if (const std::int64_t found = version(db); found < newest()) {
    throw SchemaRefused("has schema " + std::to_string(found) + ", older than the " + std::to_string(newest()) +
                            " of this program",
                        "modelwatch db migrate");
  }
}

}  // namespace modelwatch::storage
