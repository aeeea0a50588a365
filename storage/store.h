#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "advisories/osv/ledger.h"
#include "estimator/error.h"
#include "storage/records.h"

namespace modelwatch::storage {

enum class Access { read_only, read_write };

/// The database: one SQLite file in WAL mode. One object = one connection = one thread; several processes may have it
/// open. A public method is one transaction unless it says otherwise. Failures are Error{database}; a schema newer
/// than this program is refused with what to do.
class Store {
 public:
  /// Opens, creates (read_write) with mode 0660 and migrates. `path` may be ":memory:". `feed` is what the documents
  /// written through this Store say of their feed (advisories::to_osv). `patience` is how long a write waits for
  /// another writer before it is an error.
  static Result<Store> open(const std::string& path, Access access, advisories::FeedIdentity feed = {},
                            std::chrono::milliseconds patience = std::chrono::seconds(10));
  /// The schema of a file, as it is, without opening it for work; 0 where it is empty.
  static Result<int> schema_of(const std::string& path);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  // --- the tracked set -------------------------------------------------------------------------------------------
  /// Adds (name, ref), or changes its history window and takes up polling again. Idempotent.
  Result<Tracked> track(std::string_view name, std::string_view ref, History history, Time now);
  Result<void> untrack(std::string_view name, bool purge);
  Result<std::vector<Tracked>> tracked();
  /// A page of them in the order in which they were added: at most `limit` with an id above `after`.
  Result<std::vector<Tracked>> tracked(std::int64_t after, int limit);
  /// Those whose card names this base model, likewise.
  Result<std::vector<Tracked>> derived_from(std::string_view base_model, std::int64_t after, int limit);
  /// The polled ones, as little as the schedule needs: ten thousand of them are read every minute.
  Result<std::vector<Polled>> polled();
  /// By present name first, then by former names.
  Result<Tracked> find(std::string_view name, std::string_view ref = "main");
  /// Writes what a check learned of a (repository, ref) outside of revisions: times, misses, access, errors.
  Result<void> update(const Tracked& tracked);

  /// A check takes a lease, so that daemon and CLI never do the same repository at once. False where it is held.
  Result<bool> lease(std::int64_t tracked, std::string_view holder, Time now, Time until);
  Result<void> release(std::int64_t tracked, std::string_view holder);

  // --- what the pipeline reads ---------------------------------------------------------------------------------------
  /// Snapshot of a stored revision; its contents read from this Store, which must outlive it and stay on this thread.
  Result<advisories::Snapshot> snapshot(std::int64_t repository, std::string_view sha);
  Result<advisories::States> states(std::int64_t repository, std::string_view sha);
  Result<bool> has_revision(std::int64_t repository, std::string_view sha);
  /// True where the bytes of this identity are stored, so that they need not be fetched again.
  Result<bool> has_blob(std::string_view identity);
  /// All stored bytes by identity, whichever repository they came with; same lifetime and thread as of `snapshot`.
  std::shared_ptr<const advisories::Contents> contents();
  /// Advisories of the repository that list this revision in their versions and are not withdrawn: those that are open
  /// for a step that starts there (LedgerInput::open, and at_base for the base).
  Result<std::vector<advisories::Advisory>> advisories_at(std::int64_t repository, std::string_view sha);
  std::optional<advisories::EarlierState> earlier_state(std::int64_t repository, advisories::Part part, std::string_view state);

  // --- what the pipeline writes: one transaction per revision -----------------------------------------------------------
  /// Called inside the transaction with the feed's clock (max(now, last + 1 s)); returns the advisories to write. It may
  /// call the reading methods of this Store.
  using Publish = std::function<std::vector<advisories::Advisory>(Time clock)>;
  /// Binds the tracked row to the repository with this `_id`, in one transaction, and returns the row as it now is:
  /// - the row had none: it gets that repository, created when new;
  ///   a second row for one (repository, ref), as under a former name, joins the first, which is returned;
  /// - the same repository under another name: the old one becomes an alias, the event "renamed" is written, and its
  ///   advisories get the new name as well (advisories::renamed);
  /// - another repository under the row's name: the row goes to the newcomer, with an empty head and without facts but
  ///   "took_over": {"hub_id", "head"} of the former holder; the event "taken-over" is written for both; the former
  ///   holder keeps its rows, with access "taken-over". So too where the row had none and the name was another's.
  Result<Tracked> identify(std::int64_t tracked, std::string_view hub_id, std::string_view name, Time now);
  /// All advisories of a repository, withdrawn ones too.
  Result<std::vector<advisories::Advisory>> all_advisories(std::int64_t repository);
  /// Writes revision, files, blobs, states, changes, event and advisories, moves the head of the ref. All or nothing.
  /// Where the revision is the ref's head already, nothing is written and `publish` is not called. A revision known
  /// from elsewhere (another ref, a force-push back) keeps its rows; its place on the ref, the event and the advisories
  /// are written. An error where the ref's head is neither the revision nor its parent.
  Result<void> commit(const RevisionRecord& revision, const Publish& publish);
  /// Writes events of the repository's life and, as `update` does, what the check learned with them. Of a repository
  /// never seen there are no events: only the row is written.
  Result<void> commit(const Tracked& tracked, const std::vector<RepositoryEvent>& events);

  // --- what users ask ---------------------------------------------------------------------------------------------------
  Result<std::vector<RevisionRow>> revisions(std::string_view name, std::string_view ref, int limit, std::string_view before_sha = {});
  /// One revision whole, by full sha, unique prefix of at least 7 digits, or ref name.
  struct RevisionDetail {
    RevisionRow row;
    Tracked tracked;
    std::vector<StoredFile> files;  ///< without bytes
    std::vector<ChangeRow> changes;
    json::Value plan;
  };
  Result<RevisionDetail> revision(std::string_view name, std::string_view revision);
  Result<std::vector<ChangeRow>> changes(const ChangeFilter& filter, int limit);
  /// Resolves `--since`: a cursor, a date or time, or an advisory id, to a sequence.
  Result<std::int64_t> cursor(std::string_view since);

  /// Where these bytes are or were: of each repository and path the newest revision that has them.
  Result<std::vector<FilePlace>> holders(std::string_view identity, int limit);

  using After = std::optional<std::pair<Time, std::string>>;
  Result<DocumentPage> advisories_by_commit(std::string_view sha, const After& after, int limit);
  Result<DocumentPage> advisories_by_version(std::string_view name, std::string_view version, const After& after, int limit);
  Result<DocumentPage> advisories_by_package(std::string_view name, const After& after, int limit);
  Result<DocumentRow> advisory(std::string_view id);
  /// Every document, withdrawn ones too, in the feed's order: modified descending, then id ascending; one consistent view.
  /// `wanted` is asked of each; only where it says yes is the document read and given to `visit` before the next one.
  using Wanted = std::function<bool(std::string_view id, Time modified)>;
  Result<void> each_document(const Wanted& wanted, const std::function<void(const DocumentRow&)>& visit);
  Result<DocumentPage> documents(std::string_view name, const After& after, int limit);  ///< name empty = all
  /// Those that were news last, newest first, withdrawn ones too: of one repository where `name` is not empty.
  Result<std::vector<DocumentRow>> news(std::string_view name, advisories::Impact at_least, int limit);
  /// Whether this commit belongs to any stored revision (header X-Revision-Known).
  Result<bool> knows_commit(std::string_view sha);

  // --- the database itself ------------------------------------------------------------------------------------------------
  Result<std::vector<std::string>> check();         ///< integrity and foreign keys; empty = sound
  Result<void> backup(const std::string& target);   ///< online, consistent
  int schema_version() const;

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace modelwatch::storage
