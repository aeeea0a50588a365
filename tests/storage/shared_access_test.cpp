#include <gmock/gmock.h>
#include <grp.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "tests/storage/database.h"

namespace modelwatch::storage {
namespace {

constexpr uid_t kService = 64'001, kMember = 64'002, kStranger = 64'003;
constexpr gid_t kGroup = 64'001, kElsewhere = 64'003;

/// 0 where `work` did not throw, run as another user with the umask of a login shell.
int as(uid_t user, gid_t group, const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    umask(022);
    if (setgroups(0, nullptr) != 0 || setgid(group) != 0 || setuid(user) != 0) _exit(2);
    try {
      work();
    } catch (const std::exception& error) {
      fprintf(stderr, "user %u: %s\n", user, error.what());
      _exit(1);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// The service's folder as systemd makes it with StateDirectoryMode=2770.
class SharedAccess : public testing::Test {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "needs root, to be several users";
    ASSERT_EQ(chown(database.folder().c_str(), kService, kGroup), 0);
    ASSERT_EQ(chmod(database.folder().c_str(), 02770), 0);
  }
  void write(const std::string& name) { must(open(database.path()).track(name, "main", {}, at(0))); }
  std::size_t count(Access access = Access::read_only) { return must(open(database.path(), access).tracked()).size(); }

  TemporaryDatabase database;
};

TEST_F(SharedAccess, AMemberReadsWhileTheServiceIsStoppedAndTheServiceWritesAgain) {
  ASSERT_EQ(as(kService, kGroup, [&] { write("org/a"); }), 0);
  // The member's reading leaves -shm and -wal of its own, still open when the service comes back.
  int ready[2], done[2];
  ASSERT_EQ(pipe(ready) + pipe(done), 0);
  const pid_t member = fork();
  if (member == 0) {
    _exit(as(kMember, kGroup, [&] {
      Store store = open(database.path(), Access::read_only);
      must(store.tracked());
      char byte = 0;
      (void)!::write(ready[1], &byte, 1);
      (void)!::read(done[0], &byte, 1);
    }));
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_EQ(as(kService, kGroup, [&] { write("org/b"); }), 0);
  ASSERT_EQ(::write(done[1], &byte, 1), 1);
  int status = 0;
  waitpid(member, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(count(), 2U);
}

TEST_F(SharedAccess, AMemberMayCreateAndWriteWhatTheServiceThenUses) {
  EXPECT_EQ(as(kMember, kGroup, [&] { write("org/a"); }), 0);
  EXPECT_EQ(as(kService, kGroup, [&] { write("org/b"); }), 0);
  EXPECT_EQ(as(kMember, kGroup, [&] { write("org/c"); }), 0);
  EXPECT_EQ(count(), 3U);
}

TEST_F(SharedAccess, AStrangerIsToldThatHeMayNot) {
  ASSERT_EQ(as(kService, kGroup, [&] { write("org/a"); }), 0);
  EXPECT_EQ(as(kStranger, kElsewhere, [&] {
    const auto opened = Store::open(database.path(), Access::read_only);
    if (opened || opened.error().message.find("Permission denied") == std::string::npos)
      throw std::runtime_error(opened ? "it opened" : opened.error().message);
  }), 0);
}

}  // namespace
}  // namespace modelwatch::storage
