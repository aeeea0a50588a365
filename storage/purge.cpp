#include "storage/store_impl.h"

namespace modelwatch::storage {

/// Everything hangs on the repository by foreign keys but what repositories share: bytes, objects and paths.
void purge(Connection& db, std::int64_t repository) {
  db.execute("CREATE TEMP TABLE IF NOT EXISTS purged_object (id INTEGER PRIMARY KEY, identity TEXT) STRICT;"
             "CREATE TEMP TABLE IF NOT EXISTS purged_path (id INTEGER PRIMARY KEY) STRICT;"
             "DELETE FROM purged_object; DELETE FROM purged_path");
  db.prepare("INSERT OR IGNORE INTO purged_object SELECT o.id, o.identity FROM revision r JOIN file f ON f.revision = r.id"
             " JOIN object o ON o.id = f.object WHERE r.repository = ?").bind(repository).run();
  db.prepare("INSERT OR IGNORE INTO purged_path SELECT f.path FROM revision r JOIN file f ON f.revision = r.id"
             " WHERE r.repository = ?").bind(repository).run();
  db.prepare("DELETE FROM repository WHERE id = ?").bind(repository).run();
  db.prepare("DELETE FROM object WHERE id IN (SELECT id FROM purged_object)"
             " AND NOT EXISTS (SELECT 1 FROM file WHERE file.object = object.id)").run();
  db.prepare("DELETE FROM blob WHERE identity IN (SELECT identity FROM purged_object)"
             " AND NOT EXISTS (SELECT 1 FROM object WHERE object.identity = blob.identity)").run();
  db.prepare("DELETE FROM path WHERE id IN (SELECT id FROM purged_path)"
             " AND NOT EXISTS (SELECT 1 FROM file WHERE file.path = path.id)").run();
  db.execute("DELETE FROM purged_object; DELETE FROM purged_path");
}

}  // namespace modelwatch::storage
