#include "tests/storage/database.h"

#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "advisories/manifest/digest.h"
#include "advisories/osv/ledger.h"

namespace modelwatch::storage {

namespace {

using advisories::Part;
using Row = std::vector<std::string>;

void select(const std::string& path, const std::string& sql, const std::function<void(const Row& names, const Row& values)>& visit) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READWRITE, nullptr), SQLITE_OK) << path;
  sqlite3_stmt* rows = nullptr;
  EXPECT_EQ(sqlite3_prepare_v2(db, sql.c_str(), -1, &rows, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  while (rows && sqlite3_step(rows) == SQLITE_ROW) {
    Row names, values;
    for (int i = 0; i < sqlite3_column_count(rows); ++i) {
      names.emplace_back(sqlite3_column_name(rows, i));
      const void* bytes = sqlite3_column_blob(rows, i);
      const bool blob = sqlite3_column_type(rows, i) == SQLITE_BLOB;
      std::string text = bytes ? std::string(static_cast<const char*>(bytes), std::size_t(sqlite3_column_bytes(rows, i))) : "-";
      values.push_back(blob ? advisories::sha256(text) : std::move(text));
    }
    visit(names, values);
  }
  sqlite3_finalize(rows);
  sqlite3_close(db);
}

}  // namespace

Time at(int seconds) { return Time(std::chrono::seconds(1'787'217'124 + seconds)); }

std::string sha(int number) {
  std::string digits = std::to_string(number);
  return digits + advisories::sha1(digits).substr(digits.size());
}

TemporaryDatabase::TemporaryDatabase() {
  // In memory where there is such a folder: thousands of commits would wait for a disk that has nothing to prove here.
  std::error_code none;
  const bool in_memory = std::filesystem::is_directory("/dev/shm", none) && access("/dev/shm", W_OK) == 0;
  std::string pattern = (in_memory ? "/dev/shm" : std::filesystem::temp_directory_path().string()) + "/modelwatch-XXXXXX";
  if (!mkdtemp(pattern.data())) throw std::runtime_error("mkdtemp");
  folder_ = pattern;
}

TemporaryDatabase::~TemporaryDatabase() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

Store open(const std::string& path, Access access) {
  return must(Store::open(path, access, {}, std::chrono::milliseconds(50)));
}

StoredFile file(const std::string& path, const std::string& bytes) {
  StoredFile stored;
  stored.file.path = path;
  stored.file.oid = advisories::git_blob_oid(bytes);
  stored.file.size = bytes.size();
  stored.bytes = std::make_shared<const std::string>(bytes);
  return stored;
}

StoredFile lfs_file(const std::string& path, const std::string& sha256, std::uint64_t size, const std::string& not_read) {
  StoredFile stored;
  stored.file = {path, advisories::git_blob_oid("oid sha256:" + sha256), size, advisories::LfsPointer{sha256, size, 134}};
  stored.not_read = not_read;
  return stored;
}

advisories::Change change(Part part, advisories::Impact impact, const std::string& summary) {
  advisories::Change change;
  change.part = part;
  change.impact = impact;
  change.summary = summary;
  advisories::Finding finding;
  finding.rule = std::string(name(part)) + ".changed";
  finding.impact = impact;
  finding.path = "config.json";
  finding.pointer = "/key";
  finding.before = 1;
  finding.after = 2;
  finding.meaning = summary;
  change.findings = {finding};
  return change;
}

Writer::Writer(Store& store, const std::string& name, const std::string& hub_id, const std::string& ref)
    : store_(store), name_(name), hub_id_(hub_id), ref_(ref) {
  const Tracked tracked = must(store.track(name, ref, {}, at(0)));
  id_ = must(store.identify(tracked.id, hub_id, name, at(0))).id;
}

Tracked Writer::row() {
  for (Tracked& tracked : must(store_.tracked()))
    if (tracked.id == id_) return tracked;
  throw std::runtime_error("no longer tracked");
}

RevisionRecord Writer::record(const std::string& sha, std::vector<advisories::Change> changes, std::vector<StoredFile> files) {
  const Tracked tracked = row();
  RevisionRecord record;
  record.tracked = id_;
  record.sha = sha;
  record.parent = tracked.head;
  record.committed = record.seen = at(seconds += 60);
  record.title = "Commit " + sha.substr(0, 7);
  record.authors = {"somebody"};
  record.files = std::move(files);
  if (record.parent.empty()) {
    record.states = {{Part::config, "sha256:config"}, {Part::tokenizer, "sha256:tokenizer"}, {Part::weights, "sha256:weights"}};
    return record;
  }
  record.states = must(store_.states(tracked.repository, tracked.head));
  record.diff.emplace();
  for (advisories::Change& one : changes) {
    record.diff->impact = std::max(record.diff->impact, one.impact);
    if (one.impact > advisories::Impact::cosmetic) record.states[one.part] = "sha256:" + one.summary;
    record.diff->parts.push_back(std::move(one));
  }
  return record;
}

std::vector<advisories::Advisory> Writer::advance(const RevisionRecord& record, Time clock) {
  const Tracked tracked = row();
  advisories::LedgerInput input;
  input.repository = {"https://huggingface.co", name_, hub_id_};
  input.step = {record.sha, record.parent, "refs/heads/" + ref_, record.committed, record.rewritten, ""};
  if (record.rewritten && must(store_.has_revision(tracked.repository, record.sha))) input.step.base = record.sha;
  input.diff = record.diff ? &*record.diff : nullptr;
  if (!record.parent.empty()) {
    input.states_before = must(store_.states(tracked.repository, record.parent));
    input.open = must(store_.advisories_at(tracked.repository, record.parent));
  }
  if (!input.step.base.empty()) {
    input.at_base = must(store_.advisories_at(tracked.repository, input.step.base));
    input.states_base = must(store_.states(tracked.repository, input.step.base));
  }
  input.states_after = record.states;
  input.earlier = [&](Part part, const std::string& state) { return store_.earlier_state(tracked.repository, part, state); };
  input.taken = [&](const std::string& id) { return store_.advisory(id).has_value(); };
  input.now = clock;
  return advisories::advance(input, {});
}

void Writer::write(const RevisionRecord& record) {
  must(store_.commit(record, [&](Time clock) { return advance(record, clock); }));
}

void Writer::commit(const std::string& sha, std::vector<advisories::Change> changes, std::vector<StoredFile> files) {
  write(record(sha, std::move(changes), std::move(files)));
}

std::string dump(const std::string& path, const std::vector<std::string>& columns_left_out) {
  std::string text;
  std::vector<std::string> tables;
  select(path, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
         [&](const Row&, const Row& values) { tables.push_back(values[0]); });
  for (const std::string& table : tables) {
    select(path, "SELECT * FROM " + table + " ORDER BY 1, 2", [&](const Row& names, const Row& values) {
      text += table;
      for (std::size_t i = 0; i < names.size(); ++i)
        if (std::count(columns_left_out.begin(), columns_left_out.end(), table + "." + names[i]) == 0)
          text += " " + names[i] + "=" + values[i];
      text += '\n';
    });
  }
  return text;
}

std::string ask(const std::string& path, const std::string& sql) {
  std::string answer;
  select(path, sql, [&](const Row&, const Row& values) { if (answer.empty()) answer = values[0]; });
  return answer;
}

}  // namespace modelwatch::storage
