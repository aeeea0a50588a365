#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/storage/database.h"

namespace modelwatch::storage {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::string why_not(const std::string& path, Access access) {
  const auto opened = Store::open(path, access);
  if (opened) return "it opened";
  EXPECT_EQ(opened.error().kind, ErrorKind::database);
  return opened.error().message + " | " + opened.error().hint;
}

void execute(const std::string& path, const std::string& sql) { ask(path, sql); }

TEST(Open, CreatesWithTheNewestSchema) {
  TemporaryDatabase database;
  const Store store = open(database.path());
  EXPECT_EQ(store.schema_version(), 1);
  EXPECT_EQ(must(Store::schema_of(database.path())), 1);
  EXPECT_EQ(ask(database.path(), "PRAGMA journal_mode"), "wal");
}

TEST(Open, TheFileAndItsCompanionsAreTheGroupsWhateverTheUmask) {
  TemporaryDatabase database;
  const mode_t umask_before = umask(077);
  const Store store = open(database.path());
  umask(umask_before);
  for (const char* companion : {"", "-wal", "-shm"}) {
    struct stat info {};
    ASSERT_EQ(stat((database.path() + companion).c_str(), &info), 0) << companion;
    EXPECT_EQ(info.st_mode & 0777, 0660U) << companion;
  }
}

TEST(Open, TwiceInARowAndTwoAtOnce) {
  TemporaryDatabase database;
  Store first = open(database.path()), second = open(database.path());
  must(first.track("org/name", "main", {}, at(0)));
  EXPECT_EQ(must(second.tracked()).size(), 1U);
  EXPECT_EQ(must(open(database.path(), Access::read_only).tracked()).size(), 1U);
}

TEST(Open, InMemory) {
  Store store = open(":memory:");
  must(store.track("org/name", "main", {}, at(0)));
  EXPECT_EQ(must(store.polled()).size(), 1U);
}

TEST(Open, RefusesANewerSchema) {
  TemporaryDatabase database;
  (void)open(database.path());
  execute(database.path(), "PRAGMA user_version = 99");
  for (const Access access : {Access::read_write, Access::read_only})
    EXPECT_EQ(why_not(database.path(), access),
              database.path() + " has schema 99; this program knows schemas up to 1 | the newer modelwatch that wrote it");
}

TEST(Open, RefusesTheDatabaseOfAnotherProgram) {
  TemporaryDatabase database;
  std::ofstream(database.path()).close();
  execute(database.path(), "CREATE TABLE theirs (id INTEGER)");
  EXPECT_THAT(why_not(database.path(), Access::read_write), HasSubstr("is a database of another program"));
  EXPECT_EQ(ask(database.path(), "SELECT count(*) FROM sqlite_schema"), "1");
}

TEST(Open, RefusesWhatIsNoDatabase) {
  TemporaryDatabase database;
  std::ofstream(database.path()) << std::string(4096, 'x');
  EXPECT_THAT(why_not(database.path(), Access::read_write), HasSubstr("file is not a database"));
}

TEST(Open, ForReadingNeedsTheFileAndItsSchema) {
  TemporaryDatabase database;
  EXPECT_THAT(why_not(database.path(), Access::read_only), HasSubstr("No such file or directory"));
  std::ofstream(database.path()).close();
  EXPECT_THAT(why_not(database.path(), Access::read_only), HasSubstr("older than the 1 of this program | modelwatch db migrate"));
  EXPECT_THAT(why_not(database.folder() + "/absent/modelwatch.db", Access::read_write), HasSubstr("No such file or directory"));
}

TEST(Open, ForReadingCannotWrite) {
  TemporaryDatabase database;
  const Store writer = open(database.path());
  Store reader = open(database.path(), Access::read_only);
  EXPECT_THAT(reader.track("org/name", "main", {}, at(0)).error().message, HasSubstr("readonly"));
}

TEST(Database, ChecksItself) {
  TemporaryDatabase database;
  Store store = open(database.path());
  Writer writer(store, "org/name", "a1");
  writer.commit(sha(1), {}, {file("config.json", "{}")});
  EXPECT_THAT(must(store.check()), IsEmpty());
  execute(database.path(), "DELETE FROM object");
  EXPECT_EQ(must(store.check()), std::vector<std::string>{"a row of file points to nothing in object"});
}

TEST(Database, BacksUpWhileItIsWritten) {
  TemporaryDatabase database;
  Store store = open(database.path()), other = open(database.path());
  Writer writer(store, "org/name", "a1");
  writer.commit(sha(1), {}, {file("config.json", "{}")});
  const std::string target = database.folder() + "/backup.db";
  must(other.backup(target));
  EXPECT_EQ(dump(target), dump(database.path()));
  Store copy = open(target);
  EXPECT_THAT(must(copy.check()), IsEmpty());
  EXPECT_EQ(other.backup(target).error().message, target + " is there already");
  EXPECT_EQ(other.backup(database.path()).error().kind, ErrorKind::bad_input);
  EXPECT_THAT(other.backup(database.folder() + "/absent/b.db").error().message, HasSubstr("No such file"));
}

}  // namespace
}  // namespace modelwatch::storage
