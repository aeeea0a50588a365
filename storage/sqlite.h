#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "storage/records.h"

struct sqlite3;
struct sqlite3_stmt;

/// SQLite as the rest of the room sees it. Private to storage/: failures are exceptions here and become values at the
/// edge of Store.
namespace modelwatch::storage {

/// SQLite said no. `code` is its primary result code.
struct SqliteError : std::runtime_error {
  SqliteError(int failed, const std::string& why) : std::runtime_error(why), code(failed) {}
  int code;
};

/// Bytes bound as a BLOB; not copied, they must live until the statement is reset.
struct Blob {
  std::string_view bytes;
};

/// A prepared statement at work: bound by position, stepped, and reset when it goes out of scope.
class Statement {
 public:
  Statement(sqlite3_stmt* statement, bool* in_use);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  template <class... Values>
  Statement& bind(const Values&... values) {
    int position = 0;
    (bind_at(++position, values), ...);
    return *this;
  }
  /// True where there is a row.
  bool step();
  /// Steps to the end.
  void run();

  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  std::string_view view(int column) const;  ///< until the next step
  std::string text(int column) const { return std::string(view(column)); }
  Time time(int column) const { return Time(std::chrono::seconds(integer(column))); }
  std::optional<Time> optional_time(int column) const;

 private:
  void bind_at(int position, std::int64_t value);
  void bind_at(int position, int value) { bind_at(position, std::int64_t{value}); }
  void bind_at(int position, bool value) { bind_at(position, std::int64_t{value}); }
  void bind_at(int position, std::uint64_t value) { bind_at(position, static_cast<std::int64_t>(value)); }
  void bind_at(int position, std::string_view value);
  void bind_at(int position, const std::string& value) { bind_at(position, std::string_view(value)); }
  void bind_at(int position, const char* value) { bind_at(position, std::string_view(value)); }
  void bind_at(int position, Blob value);
  void bind_at(int position, Time value) { bind_at(position, std::int64_t{value.time_since_epoch().count()}); }
  void bind_at(int position, std::nullopt_t);
  template <class T>
  void bind_at(int position, const std::optional<T>& value) {
    if (value) bind_at(position, *value);
    else bind_at(position, std::nullopt);
  }
  void check(int code) const;

  sqlite3_stmt* statement_;
  bool* in_use_;  ///< of the cache; null for one that is used once and finalized
};

/// One open database file.
class Connection {
 public:
  /// `patience`: how long a writer waits for another one.
  Connection(const std::string& path, bool writable, std::chrono::milliseconds patience);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Prepared at its first use and kept. `sql` must stay where it is for good: it is found again by its address.
  Statement prepare(const char* sql);
  /// Several statements without parameters: migrations and pragmas.
  void execute(const std::string& sql);
  std::int64_t integer(const char* sql);

  std::int64_t last_row() const;
  std::int64_t changes() const;
  bool in_transaction() const;
  /// A consistent copy while others write.
  void copy_to(const std::string& target);

 private:
  struct Cached {
    sqlite3_stmt* statement = nullptr;
    bool in_use = false;
  };
  sqlite3_stmt* compile(const char* sql, unsigned flags);
  [[noreturn]] void raise(int code) const;

  sqlite3* db_ = nullptr;
  std::map<const char*, Cached, std::less<>> statements_;
};

/// Begun when made, rolled back when it goes out of scope without `commit`.
class Transaction {
 public:
  enum class Kind {
    read,   ///< one consistent view; part of the open transaction where there is one
    write,  ///< BEGIN IMMEDIATE: waits for its turn now, where waiting is possible
  };
  Transaction(Connection& db, Kind kind);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit();

 private:
  Connection& db_;
  bool open_;
};

}  // namespace modelwatch::storage
