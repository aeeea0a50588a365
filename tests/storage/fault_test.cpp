#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/storage/database.h"
#include "tests/storage/faulty_files.h"

namespace modelwatch::storage {
namespace {

using advisories::Impact;
using advisories::Part;
using testing::HasSubstr;
using testing::IsEmpty;
using Fault = FaultyFiles::Fault;

/// A baseline, two revisions with advisories, events, a rename: what a busy night writes.
void live_through(Store& store) {
  Writer writer(store, "org/a", "a1");
  const auto config = [](int i) { return std::vector{file("config.json", std::string(20'000, char('a' + i)))}; };
  if (!must(store.has_revision(writer.row().repository, sha(11)))) writer.commit(sha(11), {}, config(0));
  for (int i = 12; i < 15; ++i) {
    writer.seconds = (i - 11) * 60;
    if (must(store.has_revision(writer.row().repository, sha(i)))) continue;
    writer.commit(sha(i), {change(Part::config, Impact::breaking, "heads " + std::to_string(i))}, config(i - 11));
  }
}

/// What a database says that was never disturbed.
std::string undisturbed() {
  TemporaryDatabase database;
  {
    Store store = open(database.path());
    live_through(store);
  }
  return dump(database.path());
}

/// How many times an undisturbed life writes.
int writes_of_a_life(FaultyFiles& files) {
  TemporaryDatabase database;
  files.heal();
  Store store = open(database.path());
  live_through(store);
  return files.operations();
}

/// A life in which writing goes wrong at one point, then another one over the same file; true where it went wrong.
bool disturbed_life(FaultyFiles& files, Fault fault, int at_operation, const std::string& expected) {
  TemporaryDatabase database;
  bool went_wrong = false;
  files.fail(fault, at_operation);
  auto opened = Store::open(database.path(), Access::read_write, {}, std::chrono::milliseconds(0));
  if (!opened) {
    EXPECT_EQ(opened.error().kind, ErrorKind::database);
    went_wrong = true;
  } else {
    try {
      live_through(*opened);
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), HasSubstr(database.path()));
      went_wrong = true;
    }
    files.heal();
    // The same Store goes on, as a daemon does after somebody has made room.
    if (went_wrong) live_through(*opened);
  }
  files.heal();
  Store again = open(database.path());
  EXPECT_THAT(must(again.check()), IsEmpty());
  live_through(again);
  EXPECT_EQ(dump(database.path()), expected) << "fault at operation " << at_operation;
  return went_wrong;
}

class Faults : public testing::TestWithParam<Fault> {};

TEST_P(Faults, AtAnyWriteLoseNothingAndRepeatNothing) {
  const std::string expected = undisturbed();
  FaultyFiles files;
  const int writes = writes_of_a_life(files);
  ASSERT_GT(writes, 50);
  int went_wrong = 0;
  for (int i = 1; i <= writes; ++i) went_wrong += disturbed_life(files, GetParam(), i, expected);
  EXPECT_GT(went_wrong, writes / 2);
}

INSTANTIATE_TEST_SUITE_P(Disk, Faults, testing::Values(Fault::full, Fault::broken),
                         [](const auto& fault) { return fault.param == Fault::full ? "Full" : "Broken"; });

TEST(Kill, AtAnyWriteLosesNothingAndRepeatsNothing) {
  const std::string expected = undisturbed();
  FaultyFiles files;
  const int writes = writes_of_a_life(files);
  int killed = 0;
  for (int i = 1; i <= writes; ++i) {
    TemporaryDatabase database;
    const pid_t child = fork();
    if (child == 0) {
      files.fail(Fault::killed, i);
      {
        Store store = open(database.path());
        live_through(store);
      }
      _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    killed += WIFEXITED(status) && WEXITSTATUS(status) == 9;
    Store again = open(database.path());
    EXPECT_THAT(must(again.check()), IsEmpty());
    live_through(again);
    EXPECT_EQ(dump(database.path()), expected) << "killed at operation " << i;
  }
  EXPECT_GT(killed, writes / 2);
}

TEST(FullDisk, SaysSo) {
  FaultyFiles files;
  TemporaryDatabase database;
  Store store = open(database.path());
  Writer writer(store, "org/a", "a1");
  files.fail(Fault::full, 1);
  const auto refused = store.track("org/b", "main", {}, at(0));
  EXPECT_EQ(refused.error().message, database.path() + ": database or disk is full");
  EXPECT_EQ(refused.error().hint, "again with free space on the disk");
  EXPECT_EQ(must(store.find("org/a")).name, "org/a") << "reading goes on";
  files.heal();
  must(store.track("org/b", "main", {}, at(0)));
}

TEST(Locked, WaitsAndThenSaysSo) {
  TemporaryDatabase database;
  Store writing = open(database.path()), waiting = open(database.path());
  Writer writer(writing, "org/a", "a1");
  const RevisionRecord record = writer.record(sha(11), {});
  Result<Tracked> refused;
  std::vector<Tracked> read;
  must(writing.commit(record, [&](Time) {
    refused = waiting.track("org/b", "main", {}, at(0));
    read = must(waiting.tracked());
    return std::vector<advisories::Advisory>{};
  }));
  EXPECT_EQ(refused.error().message, database.path() + ": database is locked");
  EXPECT_EQ(refused.error().hint, "again when the other process is done with it");
  EXPECT_EQ(read.size(), 1U) << "reading goes on meanwhile";
  must(waiting.track("org/b", "main", {}, at(0)));
}

TEST(Locked, WritingInsideOfPublishingIsRefused) {
  Store store = open(":memory:");
  Writer writer(store, "org/a", "a1");
  Result<Tracked> refused;
  must(store.commit(writer.record(sha(11), {}), [&](Time) {
    refused = store.track("org/b", "main", {}, at(0));
    return std::vector<advisories::Advisory>{};
  }));
  EXPECT_THAT(refused.error().message, HasSubstr("transaction within a transaction"));
}

}  // namespace
}  // namespace modelwatch::storage
