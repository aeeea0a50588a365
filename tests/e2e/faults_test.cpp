#include <gmock/gmock.h>
#include <sqlite3.h>
#include <sys/mount.h>

#include <filesystem>

#include "tests/e2e/scene.h"

namespace modelwatch::e2e {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::AnyOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kName = "acme/small";

class Faults : public testing::Test {
 protected:
  void track() {
    scene.hub()->create(kName, {.files = small_model()});
    ASSERT_EQ(scene.run({"repo", "add", kName, "--history", "none"}).code, 0);
  }
  json::Value check() {
    const auto lines = scene.run({"repo", "check", kName, "--json"}).lines();
    return lines.empty() ? json::Value() : lines.back();
  }
  std::size_t stored() {
    const auto listed = scene.run({"revisions", kName, "--limit", "0", "--json"});
    return listed.code == 0 ? listed.json().find("revisions")->array()->size() : 0;
  }
  Scene scene;
};

TEST_F(Faults, TheHubIsNotThere) {
  track();
  scene.environment["HF_ENDPOINT"] = "http://127.0.0.1:9";  // discard: nothing listens
  const auto result = scene.run({"repo", "check", kName});
  EXPECT_EQ(result.code, 4);
  EXPECT_THAT(result.err, HasSubstr("acme/small: "));
  const auto daemon = scene.daemon();
  EXPECT_THAT(daemon->wait_for({"warning failed", "repo=acme/small"}, seconds{60}), Not(IsEmpty()));
  daemon->signal(SIGTERM);
  EXPECT_EQ(daemon->wait(), 0);
}

TEST_F(Faults, TheHubComesBack) {
  track();
  const auto daemon = scene.daemon();
  ASSERT_THAT(daemon->wait_for({"info baseline"}), Not(IsEmpty()));
  scene.hub()->faults.arm({.path = "*", .times = -1, .status = 503});
  ASSERT_THAT(daemon->wait_for({"warning failed"}, seconds{60}), Not(IsEmpty()));
  scene.hub()->push(kName, {.files = {{"config.json", config_with(2)}}});
  scene.hub()->faults.clear();
  EXPECT_THAT(daemon->wait_for({"info changed", "part=config"}, seconds{60}), Not(IsEmpty()));
}

struct Limit {
  const char* name;
  std::vector<std::pair<std::string, std::string>> headers;
};

class RateLimits : public Faults, public testing::WithParamInterface<Limit> {};

TEST_P(RateLimits, EndTheCheckWithATime) {
  track();
  scene.hub()->faults.arm({.path = "*/tree/*", .times = -1, .status = 429, .set_headers = GetParam().headers, .drop_headers = {"ratelimit", "ratelimit-policy"}});
  const auto limited = scene.run({"repo", "check", kName});
  EXPECT_EQ(limited.code, 4) << limited.err;
  EXPECT_THAT(limited.err, HasSubstr("rate-limited"));
  EXPECT_THAT(limited.err, HasSubstr("again at 20"));
  EXPECT_EQ(stored(), 0U);
  scene.hub()->faults.clear();
  EXPECT_EQ(at(check(), "/outcome"), "baseline");
}

INSTANTIATE_TEST_SUITE_P(Answers, RateLimits,
                         testing::Values(Limit{"with_retry_after", {{"retry-after", "77"}}},
                                         Limit{"with_a_window", {{"ratelimit", "\"api\";r=0;t=88"}}}, Limit{"without_a_word", {}}),
                         [](const auto& test) { return test.param.name; });

TEST_F(Faults, AFifthOfTheQuotaIsLeftForOthers) {
  track();
  scene.hub()->quotas.set_limit(testhub::Plan::anonymous, testhub::Bucket::api, 12);
  for (int i = 0; i < 20; ++i) scene.hub()->push(kName, {.files = {{"notes.txt", std::to_string(i)}}});
  ASSERT_EQ(scene.run({"repo", "add", kName, "--history", "full"}).code, 0);
  EXPECT_EQ(at(check(), "/outcome"), "rate-limited");
  const std::size_t first = stored();
  EXPECT_GE(first, 3U);
  EXPECT_LT(first, 12U);
  EXPECT_EQ(scene.log().count({.status = 429}), 0U) << "it never came to that";
}

TEST_F(Faults, AServerErrorEndsTheCheckAndNothingIsHalfWritten) {
  track();
  scene.hub()->faults.arm({.path = "*config.json", .times = -1, .status = 500});
  const auto failed = scene.run({"repo", "check", kName});
  EXPECT_EQ(failed.code, 4) << failed.err;
  EXPECT_EQ(stored(), 0U);
  scene.hub()->faults.clear();
  EXPECT_EQ(at(check(), "/outcome"), "baseline");
  EXPECT_EQ(stored(), 1U);
}

TEST_F(Faults, ATruncatedBodyIsNoFile) {
  track();
  scene.hub()->faults.arm({.path = "*config.json", .method = "GET", .times = -1, .cut_after = 40});
  EXPECT_EQ(at(check(), "/outcome"), "failed");
  EXPECT_EQ(stored(), 0U);
  scene.hub()->faults.clear();
  EXPECT_EQ(at(check(), "/outcome"), "baseline");
}

TEST_F(Faults, WrongBytesAreNotStored) {
  track();
  scene.hub()->faults.arm({.path = "*config.json", .method = "GET", .times = -1, .body = std::string("{\"model_type\":\"other\"}")});
  EXPECT_EQ(at(check(), "/outcome"), "baseline");
  const auto shown = scene.run({"revisions", "show", std::string(kName) + "@main", "--json"});
  EXPECT_THAT(shown.out, HasSubstr("\"not_read\""));
}

TEST_F(Faults, ItDisappearsInTheMiddleOfACheck) {
  track();
  ASSERT_EQ(at(check(), "/outcome"), "baseline");
  scene.hub()->push(kName, {.files = {{"config.json", config_with(2)}}});
  scene.hub()->faults.arm({.path = "*/tree/*", .before = [](testhub::World& world) { world.remove(kName); }});
  EXPECT_EQ(at(check(), "/outcome"), "missing");
  EXPECT_EQ(stored(), 1U) << "what was there stays";
}

TEST_F(Faults, ALockedDatabase) {
  track();
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(scene.database().c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  const auto refused = scene.run({"repo", "add", "acme/other"});
  EXPECT_EQ(refused.code, 5);
  EXPECT_THAT(refused.err, HasSubstr("locked"));
  EXPECT_THAT(refused.err, HasSubstr("\ntry: "));
  EXPECT_EQ(scene.run({"repo", "list"}).code, 0) << "readers do not wait";
  sqlite3_exec(other, "ROLLBACK", nullptr, nullptr, nullptr);
  sqlite3_close(other);
  EXPECT_EQ(scene.run({"repo", "add", "acme/other"}).code, 0);
}

TEST_F(Faults, ADatabaseOfANewerProgram) {
  track();
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(scene.database().c_str(), &other), SQLITE_OK);
  sqlite3_exec(other, "PRAGMA user_version = 9999", nullptr, nullptr, nullptr);
  sqlite3_close(other);
  for (const auto& words : {std::vector<std::string>{"repo", "list"}, {"repo", "check"}}) {
    const auto refused = scene.run(words);
    EXPECT_EQ(refused.code, 5);
    EXPECT_THAT(refused.err, HasSubstr("newer"));
    EXPECT_THAT(refused.err, HasSubstr("\ntry: "));
  }
  const auto daemon = scene.daemon();
  EXPECT_EQ(daemon->wait(), 5);
  EXPECT_THAT(daemon->err(), HasSubstr("newer"));
}

/// Weights' headers that do not compress: the revision needs about two megabytes of database.
testhub::Files large_model() {
  testhub::Files files = small_model();
  std::uint64_t x = 88172645463325252U;
  std::string text;
  while (text.size() < 2'000'000) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    text += std::to_string(x);
  }
  files.insert_or_assign("merges.txt", testhub::NewFile(text));
  return files;
}

// The daemon cannot write the revision, says so, goes on living, and writes it once there is room.
TEST_F(Faults, AFileThatMayNotGrow) {
  scene.hub()->create(kName, {.files = small_model()});
  ASSERT_EQ(scene.run({"repo", "add", kName, "--history", "none"}).code, 0);
  ASSERT_EQ(at(check(), "/outcome"), "baseline");
  const std::string sha = scene.hub()->push(kName, {.files = large_model()});
  {
    const auto daemon = scene.daemon({.environment = {}, .largest_file = 700'000});
    EXPECT_THAT(daemon->wait_for({"warning failed", "repo=acme/small"}), Not(IsEmpty())) << daemon->err();
    daemon->signal(SIGTERM);
    EXPECT_EQ(daemon->wait(), 0);
  }
  EXPECT_EQ(stored(), 1U);
  EXPECT_EQ(at(check(), "/outcome"), "updated");
  EXPECT_EQ(at(scene.run({"revisions", kName, "--json"}).json(), "/revisions/0/sha"), sha);
}

TEST_F(Faults, AFullDisk) {
  const std::string disk = scene.folder() + "/disk";
  std::filesystem::create_directories(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=1m") != 0) GTEST_SKIP() << "needs the right to mount a small disk";
  scene.environment["MODELWATCH_DB"] = disk + "/modelwatch.db";
  scene.hub()->create(kName, {.files = small_model()});
  EXPECT_EQ(scene.run({"repo", "add", kName, "--history", "none"}).code, 0);
  EXPECT_EQ(at(check(), "/outcome"), "baseline");
  scene.hub()->push(kName, {.files = large_model()});
  const auto full = scene.run({"repo", "check", kName});
  EXPECT_EQ(full.code, 5);
  EXPECT_THAT(full.err, HasSubstr("full"));
  EXPECT_EQ(stored(), 1U);
  ASSERT_EQ(mount("tmpfs", disk.c_str(), "tmpfs", MS_REMOUNT, "size=64m"), 0);
  EXPECT_EQ(at(check(), "/outcome"), "updated");
  umount(disk.c_str());
}

}  // namespace
}  // namespace modelwatch::e2e
