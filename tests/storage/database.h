#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "storage/store.h"

namespace modelwatch::storage {

/// A moment of the tests: seconds after 2026-08-20T09:12:04Z.
Time at(int seconds);
/// A full sha whose first digits are this number.
std::string sha(int number);

/// A folder of its own with a database in it, gone afterwards.
class TemporaryDatabase {
 public:
  TemporaryDatabase();
  ~TemporaryDatabase();
  const std::string& folder() const { return folder_; }
  std::string path() const { return folder_ + "/modelwatch.db"; }

 private:
  std::string folder_;
};

/// The value, or a test failure that says why there is none.
template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

Store open(const std::string& path, Access access = Access::read_write);

/// One file of a listing with these bytes.
StoredFile file(const std::string& path, const std::string& bytes);
/// One that is in LFS and was not read.
StoredFile lfs_file(const std::string& path, const std::string& sha256, std::uint64_t size, const std::string& not_read = "");

/// What changed in a part, with one finding.
advisories::Change change(advisories::Part part, advisories::Impact impact, const std::string& summary);

/// Commits revisions of one repository as the pipeline does, with the real ledger.
class Writer {
 public:
  Writer(Store& store, const std::string& name, const std::string& hub_id, const std::string& ref = "main");

  /// A revision on top of the head; each change gives its part a new state.
  void commit(const std::string& sha, std::vector<advisories::Change> changes, std::vector<StoredFile> files = {});
  /// The record that `commit` would write, for tests that write it themselves.
  RevisionRecord record(const std::string& sha, std::vector<advisories::Change> changes, std::vector<StoredFile> files = {});
  std::vector<advisories::Advisory> advance(const RevisionRecord& record, Time clock);
  void write(const RevisionRecord& record);
  /// The row as it is now.
  Tracked row();

  int seconds = 0;  ///< of the next revision's date; moves on by a minute each

 private:
  Store& store_;
  std::string name_, hub_id_, ref_;
  std::int64_t id_;
};

/// Every row of every table as text, one a line, in the order of the keys; two databases with the same rows print the same.
/// `columns_left_out`, as "tracked.last_check", are not printed.
std::string dump(const std::string& path, const std::vector<std::string>& columns_left_out = {});

/// First column of the first row; for what no public method says.
std::string ask(const std::string& path, const std::string& sql);

}  // namespace modelwatch::storage
