#include "storage/sqlite.h"

#include <sqlite3.h>

#include <utility>

namespace modelwatch::storage {

Statement::Statement(sqlite3_stmt* statement, bool* in_use) : statement_(statement), in_use_(in_use) {
  if (in_use_) *in_use_ = true;
}

Statement::~Statement() {
  if (!in_use_) {
    sqlite3_finalize(statement_);
    return;
  }
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
  *in_use_ = false;
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) throw SqliteError(code & 0xFF, sqlite3_errmsg(sqlite3_db_handle(statement_)));
}

void Statement::bind_at(int position, std::int64_t value) { check(sqlite3_bind_int64(statement_, position, value)); }

void Statement::bind_at(int position, std::string_view value) {
  const char* text = value.data() ? value.data() : "";  // a null pointer would bind NULL
  check(sqlite3_bind_text64(statement_, position, text, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::bind_at(int position, Blob value) {
  const char* bytes = value.bytes.data() ? value.bytes.data() : "";
  check(sqlite3_bind_blob64(statement_, position, bytes, value.bytes.size(), SQLITE_STATIC));
}

void Statement::bind_at(int position, std::nullopt_t) { check(sqlite3_bind_null(statement_, position)); }

bool Statement::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  check(code);
  return false;
}

void Statement::run() {
  while (step()) {
  }
}

bool Statement::is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_, column); }

std::string_view Statement::view(int column) const {
  const void* bytes = sqlite3_column_blob(statement_, column);  // the stored bytes, NULs included
  const int size = sqlite3_column_bytes(statement_, column);
  return bytes ? std::string_view(static_cast<const char*>(bytes), static_cast<std::size_t>(size)) : std::string_view();
}

std::optional<Time> Statement::optional_time(int column) const {
  if (is_null(column)) return std::nullopt;
  return time(column);
}

Connection::Connection(const std::string& path, bool writable, std::chrono::milliseconds patience) {
  const int flags = (writable ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY) | SQLITE_OPEN_NOMUTEX;
  const int code = sqlite3_open_v2(path.c_str(), &db_, flags, nullptr);
  if (code != SQLITE_OK) {
    const SqliteError error(code & 0xFF, db_ ? sqlite3_errmsg(db_) : "out of memory");
    sqlite3_close(db_);
    throw error;
  }
  sqlite3_busy_timeout(db_, static_cast<int>(patience.count()));
}

Connection::~Connection() {
  for (auto& [sql, cached] : statements_) sqlite3_finalize(cached.statement);
  sqlite3_close(db_);
}

void Connection::raise(int code) const { throw SqliteError(code & 0xFF, sqlite3_errmsg(db_)); }

sqlite3_stmt* Connection::compile(const char* sql, unsigned flags) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(db_, sql, -1, flags, &statement, nullptr);
  if (code != SQLITE_OK) raise(code);
  return statement;
}

Statement Connection::prepare(const char* sql) {
  Cached& cached = statements_[sql];
  if (cached.in_use) return Statement(compile(sql, 0), nullptr);  // asked again by what visits its rows
  if (!cached.statement) cached.statement = compile(sql, SQLITE_PREPARE_PERSISTENT);
  return Statement(cached.statement, &cached.in_use);
}

void Connection::execute(const std::string& sql) {
  const int code = sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) raise(code);
}

std::int64_t Connection::integer(const char* sql) {
  Statement statement(compile(sql, 0), nullptr);
  return statement.step() ? statement.integer(0) : 0;
}

std::int64_t Connection::last_row() const { return sqlite3_last_insert_rowid(db_); }

std::int64_t Connection::changes() const { return sqlite3_changes64(db_); }

bool Connection::in_transaction() const { return sqlite3_get_autocommit(db_) == 0; }

void Connection::copy_to(const std::string& target) {
  Connection copy(target, true, std::chrono::milliseconds(0));
  sqlite3_backup* backup = sqlite3_backup_init(copy.db_, "main", db_, "main");
  if (!backup) copy.raise(sqlite3_errcode(copy.db_));
  sqlite3_backup_step(backup, -1);  // one step is one read transaction; writers go on in the WAL meanwhile
  const int code = sqlite3_backup_finish(backup);
  if (code != SQLITE_OK) copy.raise(code);
}

Transaction::Transaction(Connection& db, Kind kind) : db_(db), open_(true) {
  if (kind == Kind::read && db.in_transaction()) {
    open_ = false;
    return;
  }
  // A transaction that reads first and writes then fails at once where another writer came between, whatever the
  // patience: hence IMMEDIATE.
  db_.prepare(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN").run();
}

Transaction::~Transaction() {
  if (!open_ || !db_.in_transaction()) return;  // a full disk has rolled back by itself
  try {
    db_.prepare("ROLLBACK").run();
  } catch (const SqliteError&) {
    // Nothing was written: the file shows what it showed before, and closing the connection ends the transaction.
  }
}

void Transaction::commit() {
  if (!open_) return;
  db_.prepare("COMMIT").run();
  open_ = false;
}

}  // namespace modelwatch::storage
