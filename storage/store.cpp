#include "storage/store.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "storage/migrations.h"
#include "storage/store_impl.h"

namespace modelwatch::storage {

namespace {

using Kind = Transaction::Kind;

bool in_memory(const std::string& path) { return path == ":memory:"; }

/// SQLite gives -wal and -shm the mode of the database file, which it would itself create as 0644 & ~umask. Then the
/// first member of the group to read a stopped service's database would leave a -shm that the service cannot write.
void create_shared(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0660);
  if (fd < 0) {
    if (errno == EEXIST) return;
    throw SqliteError(SQLITE_CANTOPEN, std::strerror(errno));
  }
  fchmod(fd, 0660);  // whatever the umask is
  close(fd);
}

std::string hint_for(int code) {
  switch (code) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return "again when the other process is done with it";
    case SQLITE_FULL: return "again with free space on the disk";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return "modelwatch db check, then a backup made by modelwatch db backup";
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM: return "as a user who may write to its folder (group modelwatch for the service's)";
    default: return {};
  }
}

}  // namespace

Error explain(const std::string& path, const SqliteError& error) {
  return {ErrorKind::database, path + ": " + error.what(), hint_for(error.code)};
}

Error Store::Impl::explain(const SqliteError& error) const { return storage::explain(path, error); }

Result<Store> Store::open(const std::string& path, Access access, advisories::FeedIdentity feed,
                          std::chrono::milliseconds patience) {
  const bool writable = access == Access::read_write;
  try {
    if (writable && !in_memory(path)) create_shared(path);
    if (!writable && ::access(path.c_str(), F_OK) != 0)
      return fail(ErrorKind::database, path + ": " + std::strerror(errno), "modelwatch repo add org/name, or --db FILE");
    auto impl = std::make_unique<Impl>(path, writable, patience, std::move(feed));
    if (writable) {
      impl->db.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      migrate(impl->db);
    } else {
      require_current(impl->db);
    }
    impl->db.execute("PRAGMA foreign_keys = ON");
    return Store(std::move(impl));
  } catch (const SchemaRefused& refused) {
    return fail(ErrorKind::database, path + " " + refused.what(), refused.hint);
  } catch (const SqliteError& error) {
    return tl::unexpected(explain(path, error));
  }
}

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Result<int> Store::schema_of(const std::string& path) {
  if (::access(path.c_str(), F_OK) != 0) return fail(ErrorKind::database, path + ": " + std::strerror(errno), "--db FILE");
  try {
    Connection db(path, false, std::chrono::seconds(5));
    return static_cast<int>(db.integer("PRAGMA user_version"));
  } catch (const SqliteError& error) {
    return tl::unexpected(explain(path, error));
  }
}

int Store::schema_version() const { return static_cast<int>(impl_->db.integer("PRAGMA user_version")); }

Result<std::vector<std::string>> Store::check() {
  return impl_->read([&]() -> Result<std::vector<std::string>> {
    std::vector<std::string> wrong;
    Statement integrity = impl_->db.prepare("PRAGMA integrity_check");
    while (integrity.step())
      if (integrity.view(0) != "ok") wrong.push_back(integrity.text(0));
    Statement keys = impl_->db.prepare("PRAGMA foreign_key_check");
    while (keys.step()) {
      const std::string row = keys.is_null(1) ? "a row" : "row " + keys.text(1);
      wrong.push_back(row + " of " + keys.text(0) + " points to nothing in " + keys.text(2));
    }
    return wrong;
  });
}

Result<void> Store::backup(const std::string& target) {
  if (::access(target.c_str(), F_OK) == 0)
    return fail(ErrorKind::bad_input, target + " is there already", "another name, or remove it first");
  const std::string unfinished = target + ".part";
  unlink(unfinished.c_str());
  try {
    create_shared(unfinished);
    impl_->db.copy_to(unfinished);
  } catch (const SqliteError& error) {
    unlink(unfinished.c_str());
    return tl::unexpected(explain(unfinished, error));
  }
  if (std::rename(unfinished.c_str(), target.c_str()) != 0) {
    const int why = errno;
    unlink(unfinished.c_str());
    return fail(ErrorKind::database, target + ": " + std::strerror(why));
  }
  return {};
}

}  // namespace modelwatch::storage
