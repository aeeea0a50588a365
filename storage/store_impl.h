#pragma once
#include <string>
#include <type_traits>

#include "storage/sqlite.h"
#include "storage/store.h"

/// What the .cpp files of Store share. Functions here work inside the open transaction and throw SqliteError.
namespace modelwatch::storage {

struct Store::Impl {
  Impl(const std::string& file, bool writable, std::chrono::milliseconds patience, advisories::FeedIdentity identity)
      : path(file), db(file, writable, patience), feed(std::move(identity)) {}

  /// `work` as one transaction: committed where its Result is a value, rolled back where it is an error or an exception.
  template <class Work>
  std::invoke_result_t<Work> transact(Transaction::Kind kind, Work&& work) {
    try {
      Transaction transaction(db, kind);
      auto result = work();
      if (result) transaction.commit();
      return result;
    } catch (const SqliteError& error) {
      return tl::unexpected(explain(error));
    }
  }
  template <class Work>
  auto read(Work&& work) {
    return transact(Transaction::Kind::read, std::forward<Work>(work));
  }
  template <class Work>
  auto write(Work&& work) {
    return transact(Transaction::Kind::write, std::forward<Work>(work));
  }
  Error explain(const SqliteError& error) const;

  std::string path;
  Connection db;
  advisories::FeedIdentity feed;
};

Error explain(const std::string& path, const SqliteError& error);

// --- tracked.cpp -------------------------------------------------------------------------------------------------------
std::optional<Tracked> tracked_by_id(Connection& db, std::int64_t id);
std::optional<Tracked> tracked_by_name(Connection& db, std::string_view name, std::string_view ref);
std::optional<Tracked> tracked_of(Connection& db, std::int64_t repository, std::string_view ref);
/// The repository that has the name, else the one that had it last.
std::optional<std::int64_t> repository_named(Connection& db, std::string_view name);
Result<void> update_row(Connection& db, const Tracked& row);
Error not_tracked(Connection& db, std::string_view name, std::string_view ref);

// --- snapshot.cpp --------------------------------------------------------------------------------------------------------
std::optional<std::int64_t> revision_row(Connection& db, std::int64_t repository, std::string_view sha);
advisories::States states_of(Connection& db, std::int64_t revision);
/// The listing, without bytes.
std::vector<StoredFile> files_of(Connection& db, std::int64_t revision);

// --- revision_write.cpp --------------------------------------------------------------------------------------------------
/// Writes a revision with files, blobs, states and changes; returns its row.
std::int64_t write_revision(Connection& db, std::int64_t repository, const RevisionRecord& record);

// --- purge.cpp ---------------------------------------------------------------------------------------------------------
/// Deletes a repository, its history and its advisories, and the bytes no other repository has.
void purge(Connection& db, std::int64_t repository);

// --- advisory_write.cpp ------------------------------------------------------------------------------------------------
/// Time for what is published now: later than everything published before.
Time next_clock(Connection& db, Time now);
/// Writes the documents and, where there are any, moves the clock on to `clock`. `revision` is 0 where none came with them.
void publish(Connection& db, const advisories::FeedIdentity& feed, std::int64_t repository, std::int64_t revision,
             const std::vector<advisories::Advisory>& advisories, Time clock);
std::vector<advisories::Advisory> advisories_of(Connection& db, std::int64_t repository);

// --- change.cpp --------------------------------------------------------------------------------------------------------
/// Appends to the stream. `revision` is 0 where the event came without one.
void write_event(Connection& db, std::int64_t repository, std::int64_t revision, const RepositoryEvent& event);
std::vector<ChangeRow> changes_of_revision(Connection& db, std::int64_t revision);

// --- json_column.cpp -----------------------------------------------------------------------------------------------------
json::Value read_json(std::string_view text);
std::string names_as_json(const std::vector<std::string>& names);
std::vector<std::string> names_from_json(std::string_view text);

}  // namespace modelwatch::storage
