// History that moves under the reader: pushes, rewritten branches, refs, names.
#include <gtest/gtest.h>

#include "estimator/json/reader.h"
#include "tests/hub/git/safetensors.h"
#include "tests/hub/test_hub.h"
#include "tests/hub/tests/fetch.h"

namespace modelwatch::testhub {
namespace {

class History : public ::testing::Test {
 protected:
  void SetUp() override {
    hub->create("acme/m", {.files = {{"config.json", "{}"}}});
    for (int i = 0; i < 4; ++i)
      shas.push_back(hub->push(
          "acme/m", {.files = {{"n.txt", std::to_string(i)}}, .title = "push " + std::to_string(i)}));
  }
  json::Value get(const std::string& path, int status = 200) {
    const Fetched got = fetch(hub.url() + path);
    EXPECT_EQ(got.status, status) << path << " " << got.body;
    auto read = json::read(got.body);
    return read ? read->value : json::Value();
  }
  std::vector<std::string> commits(const std::string& revision) {
    std::vector<std::string> list;
    const json::Value got = get("/api/models/acme/m/commits/" + revision);
    for (const json::Value& commit : *got.array()) list.push_back(*commit.find("id")->string());
    return list;
  }
  std::string head() { return *get("/api/models/acme/m?expand[]=sha").find("sha")->string(); }
  int status(const std::string& path) { return fetch(hub.url() + path).status; }

  TestHub hub;
  std::vector<std::string> shas;
};

TEST_F(History, RevisionsByEveryName) {
  hub->tag("acme/m", "v1", shas[0]);
  EXPECT_EQ(commits("main").size(), 6U);
  EXPECT_EQ(commits("v1")[0], shas[0]);
  EXPECT_EQ(commits(shas[1]).size(), 4U);
  EXPECT_EQ(commits(shas[1].substr(0, 8))[0], shas[1]);
  const int pull = hub->open_pull_request("acme/m", {.files = {{"LICENSE", "MIT"}}});
  EXPECT_EQ(pull, 1);
  for (const char* form : {"refs/pr/1", "refs%2Fpr%2F1"}) {
    EXPECT_EQ(commits(form).size(), 7U);
    EXPECT_EQ(status(std::string("/acme/m/resolve/") + form + "/LICENSE"), 307);
    EXPECT_EQ(status(std::string("/api/models/acme/m/tree/") + form), 200);
  }
  EXPECT_EQ(get("/api/models/acme/m/refs").find("pullRequests"), nullptr);
  EXPECT_EQ(get("/api/models/acme/m/refs?include_prs=1").find("pullRequests")->array()->size(), 1U);
}

TEST_F(History, ForcePushLeavesTheOldCommitsReadable) {
  hub->force_push("acme/m", shas[1]);
  EXPECT_EQ(head(), shas[1]);
  EXPECT_EQ(commits("main").size(), 4U);
  EXPECT_EQ(commits(shas[3]).size(), 6U);
  const std::string other = hub->push("acme/m", {.files = {{"n.txt", "other"}}, .onto = shas[0]});
  EXPECT_EQ(commits("main"),
            (std::vector<std::string>{other, shas[0], commits("main")[2], commits("main")[3]}));
}

TEST_F(History, SquashForgetsTheOldCommits) {
  hub->tag("acme/m", "kept", shas[0]);
  const std::string squashed = hub->super_squash("acme/m");
  EXPECT_EQ(commits("main"), (std::vector<std::string>{squashed}));
  EXPECT_EQ(status("/api/models/acme/m/commits/" + shas[3]), 404);
  EXPECT_EQ(status("/acme/m/resolve/" + shas[3] + "/config.json"), 404);
  EXPECT_EQ(status("/api/models/acme/m/commits/" + shas[0]), 200);
}

TEST_F(History, ARefCanVanish) {
  hub->repository("acme/m").delete_ref("refs/heads/main");
  EXPECT_EQ(status("/api/models/acme/m"), 200);
  EXPECT_EQ(get("/api/models/acme/m").find("sha"), nullptr);
  EXPECT_EQ(status("/api/models/acme/m/commits/main"), 404);
}

TEST_F(History, RenameIsFollowedUntilTheNameIsTakenAgain) {
  const std::string id = hub->repository("acme/m").id;
  hub->rename("acme/m", "acme/renamed");
  const Fetched moved = fetch(hub.url() + "/api/models/acme/m/commits/main?limit=1");
  EXPECT_EQ(moved.status, 307);
  EXPECT_EQ(moved.headers.value("location"), "/api/models/acme/renamed/commits/main?limit=1");
  EXPECT_EQ(fetch(hub.url() + "/acme/m/resolve/refs%2Fpr%2F1/a%20b.txt?x=1").headers.value("location"),
            "/acme/renamed/resolve/refs%2Fpr%2F1/a%20b.txt?x=1");
  hub->create("acme/m", {.files = {{"config.json", "other"}}});
  EXPECT_EQ(status("/api/models/acme/m"), 200);
  EXPECT_NE(*get("/api/models/acme/m").find("_id")->string(), id);
  EXPECT_EQ(*get("/api/models/acme/renamed").find("_id")->string(), id);
  hub->remove("acme/renamed");
  EXPECT_EQ(status("/api/models/acme/renamed"), 401);
}

TEST_F(History, LastCommitOfEachFile) {
  const json::Value tree = get("/api/models/acme/m/tree/main?expand=true");
  std::map<std::string, std::string> titles;
  for (const json::Value& entry : *tree.array())
    titles[*entry.find("path")->string()] = *json::at_pointer(entry, "/lastCommit/title")->string();
  EXPECT_EQ(titles,
            (std::map<std::string, std::string>{
                {".gitattributes", "initial commit"}, {"config.json", "Upload model"}, {"n.txt", "push 3"}}));
}

TEST_F(History, RemovedFilesAndDirectoriesGo) {
  hub->push("acme/m", {.files = {{"a/b/c.txt", "c"}}});
  EXPECT_EQ(get("/api/models/acme/m/tree/main?recursive=true").array()->size(), 6U);
  hub->push("acme/m", {.remove = {"a/b/c.txt"}});
  EXPECT_EQ(get("/api/models/acme/m/tree/main?recursive=true").array()->size(), 3U);
  EXPECT_THROW(hub->push("acme/m", {.remove = {"a/b/c.txt"}}), std::invalid_argument);
}

TEST_F(History, CommitPagesFollowTheLink) {
  std::vector<std::string> list;
  std::string url = hub.url() + "/api/models/acme/m/commits/main?limit=4&expand%5B%5D=formatted";
  int pages = 0;
  while (!url.empty()) {
    const Fetched got = fetch(url);
    EXPECT_EQ(got.headers.value("x-total-count"), "6");
    const json::Value page = json::read(got.body)->value;
    for (const json::Value& commit : *page.array()) list.push_back(*commit.find("id")->string());
    const std::string link = got.headers.value("link");
    url = link.empty() ? "" : link.substr(1, link.find('>') - 1);
    ++pages;
  }
  EXPECT_EQ(pages, 2);
  EXPECT_EQ(list, commits("main"));
  EXPECT_EQ(status("/api/models/acme/m/commits/main?limit=1001"), 400);
}

TEST_F(History, TreePagesAndTheirCursor) {
  Files many;
  for (int i = 0; i < 7; ++i)
    many.insert_or_assign("d" + std::to_string(i % 2) + "/f" + std::to_string(i), "x");
  hub->push("acme/m", {.files = many});
  std::set<std::string> seen;
  std::string url = hub.url() + "/api/models/acme/m/tree/main?recursive=true&limit=5";
  std::string last;
  while (!url.empty()) {
    const Fetched got = fetch(url);
    ASSERT_EQ(got.status, 200) << got.body;
    const json::Value page = json::read(got.body)->value;
    for (const json::Value& entry : *page.array())
      EXPECT_TRUE(seen.insert(*entry.find("path")->string()).second);
    const std::string link = got.headers.value("link");
    last = url;
    url = link.empty() ? "" : link.substr(1, link.find('>') - 1);
  }
  EXPECT_EQ(seen.size(), 12U);
  EXPECT_EQ(fetch(last.substr(0, last.size() - 4) + "AAAA").status, 400);
}

TEST_F(History, LinksKeepThePublicBase) {
  hub->behaviour.public_base = "https://elsewhere.example";
  EXPECT_TRUE(fetch(hub.url() + "/api/models/acme/m/commits/main?limit=1")
                  .headers.value("link")
                  .starts_with("<https://elsewhere.example/api/models/acme/m/"));
}

TEST_F(History, ListsByAuthorNewestFirst) {
  using std::chrono::seconds;
  for (int i = 0; i < 5; ++i)
    hub->create("org/m" + std::to_string(i), {.date = std::chrono::sys_seconds(seconds(1'700'000'000 + i))});
  hub->create("org/hidden", {.is_private = true});
  hub->add_user({"ann", "hf_ann", Plan::free, {"org"}});
  std::vector<std::string> names;
  std::string url =
      hub.url() + "/api/models?author=org&sort=lastModified&expand[]=sha&expand[]=lastModified&limit=2";
  while (!url.empty()) {
    const Fetched got = fetch(url);
    ASSERT_EQ(got.status, 200) << got.body;
    const json::Value page = json::read(got.body)->value;
    for (const json::Value& row : *page.array()) names.push_back(*row.find("id")->string());
    const std::string link = got.headers.value("link");
    url = link.empty() ? "" : link.substr(1, link.find('>') - 1);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"org/m4", "org/m3", "org/m2", "org/m1", "org/m0"}));
  EXPECT_EQ(
      json::read(
          fetch(hub.url() + "/api/models?author=org", {.headers = {"authorization: Bearer hf_ann"}}).body)
          ->value.array()
          ->size(),
      6U);
  const json::Value plain = get("/api/models?author=org&limit=1");
  EXPECT_EQ(json::at_pointer(plain, "/0/sha"), nullptr);
  EXPECT_EQ(json::at_pointer(plain, "/0/lastModified"), nullptr);
}

}  // namespace
}  // namespace modelwatch::testhub
