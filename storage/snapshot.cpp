#include <map>

#include "storage/blob.h"
#include "storage/store_impl.h"

namespace modelwatch::storage {

namespace {

using advisories::Bytes;
using advisories::ListedFile;
using advisories::NotRead;
using Reasons = std::map<std::string, std::string, std::less<>>;  ///< by path

/// Bytes by identity, read when a reader asks.
class StoredContents : public advisories::Contents {
 public:
  StoredContents(Connection& db, Reasons reasons) : db_(db), reasons_(std::move(reasons)) {}

  std::variant<Bytes, NotRead> read(const ListedFile& file) const override {
    try {
      Statement row = db_.prepare("SELECT size, zstd FROM blob WHERE identity = ?");
      row.bind(file.identity());
      if (row.step()) {
        auto bytes = decompress(row.view(1), static_cast<std::uint64_t>(row.integer(0)));
        if (bytes) return std::make_shared<const std::string>(std::move(*bytes));
        return NotRead{"the stored bytes are damaged"};
      }
    } catch (const SqliteError& error) {
      return NotRead{std::string("the database could not be read: ") + error.what()};
    }
    const auto reason = reasons_.find(file.path);
    return NotRead{reason == reasons_.end() ? "not fetched" : reason->second};
  }

 private:
  Connection& db_;
  Reasons reasons_;
};

ListedFile read_file(const Statement& row) {
  ListedFile file;
  file.path = row.text(0);
  file.oid = row.text(1);
  file.size = static_cast<std::uint64_t>(row.integer(2));
  if (row.integer(5) >= 0)
    file.lfs = {row.text(3), static_cast<std::uint64_t>(row.integer(4)), static_cast<std::uint64_t>(row.integer(5))};
  return file;
}

}  // namespace

std::vector<StoredFile> files_of(Connection& db, std::int64_t revision) {
  std::vector<StoredFile> files;
  Statement rows = db.prepare(
      "SELECT p.path, o.oid, o.size, o.lfs_sha256, o.lfs_size, o.pointer_size, f.not_read FROM file f"
      " JOIN path p ON p.id = f.path JOIN object o ON o.id = f.object WHERE f.revision = ? ORDER BY p.path");
  rows.bind(revision);
  while (rows.step()) files.push_back({read_file(rows), nullptr, rows.text(6)});
  return files;
}

std::optional<std::int64_t> revision_row(Connection& db, std::int64_t repository, std::string_view sha) {
  Statement row = db.prepare("SELECT id FROM revision WHERE repository = ? AND sha = ?");
  row.bind(repository, sha);
  if (!row.step()) return std::nullopt;
  return row.integer(0);
}

advisories::States states_of(Connection& db, std::int64_t revision) {
  advisories::States states;
  Statement rows = db.prepare("SELECT part, digest FROM state WHERE revision = ?");
  rows.bind(revision);
  while (rows.step())
    if (const auto part = advisories::part_named(rows.view(0))) states.emplace(*part, rows.text(1));
  return states;
}

namespace {

Error no_revision(std::string_view sha) { return {ErrorKind::not_found, "revision " + std::string(sha) + " is not stored"}; }

}  // namespace

Result<advisories::Snapshot> Store::snapshot(std::int64_t repository, std::string_view sha) {
  Connection& db = impl_->db;
  return impl_->read([&]() -> Result<advisories::Snapshot> {
    const auto revision = revision_row(db, repository, sha);
    if (!revision) return tl::unexpected(no_revision(sha));
    std::vector<ListedFile> listed;
    Reasons reasons;
    for (StoredFile& file : files_of(db, *revision)) {
      if (!file.not_read.empty()) reasons.emplace(file.file.path, std::move(file.not_read));
      listed.push_back(std::move(file.file));
    }
    return advisories::Snapshot{advisories::Listing(std::move(listed)), std::make_shared<StoredContents>(db, std::move(reasons))};
  });
}

std::shared_ptr<const advisories::Contents> Store::contents() { return std::make_shared<StoredContents>(impl_->db, Reasons{}); }

Result<advisories::States> Store::states(std::int64_t repository, std::string_view sha) {
  return impl_->read([&]() -> Result<advisories::States> {
    const auto revision = revision_row(impl_->db, repository, sha);
    if (!revision) return tl::unexpected(no_revision(sha));
    return states_of(impl_->db, *revision);
  });
}

Result<bool> Store::has_revision(std::int64_t repository, std::string_view sha) {
  return impl_->read([&]() -> Result<bool> { return revision_row(impl_->db, repository, sha).has_value(); });
}

Result<bool> Store::has_blob(std::string_view identity) {
  return impl_->read([&]() -> Result<bool> {
    Statement row = impl_->db.prepare("SELECT 1 FROM blob WHERE identity = ?");
    row.bind(identity);
    return row.step();
  });
}

Result<std::vector<FilePlace>> Store::holders(std::string_view identity, int limit) {
  return impl_->read([&]() -> Result<std::vector<FilePlace>> {
    std::vector<FilePlace> places;
    Statement rows = impl_->db.prepare(
        "SELECT r.name, v.sha, p.path, max(v.id) FROM object o JOIN file f ON f.object = o.id JOIN revision v ON v.id = f.revision"
        " JOIN repository r ON r.id = v.repository JOIN path p ON p.id = f.path WHERE o.identity = ?"
        " GROUP BY r.id, p.id ORDER BY r.name, p.path LIMIT ?");
    rows.bind(identity, limit);
    while (rows.step()) places.push_back({rows.text(0), rows.text(1), rows.text(2)});
    return places;
  });
}

std::optional<advisories::EarlierState> Store::earlier_state(std::int64_t repository, advisories::Part part, std::string_view state) {
  const auto found = impl_->read([&]() -> Result<std::optional<advisories::EarlierState>> {
    Statement row = impl_->db.prepare(
        "SELECT r.sha FROM state s JOIN revision r ON r.id = s.revision"
        " WHERE s.repository = ? AND s.part = ? AND s.digest = ? ORDER BY s.revision DESC LIMIT 1");
    row.bind(repository, name(part), state);
    if (!row.step()) return std::optional<advisories::EarlierState>();
    return std::optional(advisories::EarlierState{row.text(0)});
  });
  return found ? *found : std::nullopt;
}

}  // namespace modelwatch::storage
