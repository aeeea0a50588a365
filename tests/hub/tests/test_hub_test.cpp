#include "tests/hub/test_hub.h"

#include <gtest/gtest.h>

#include "estimator/json/reader.h"
#include "tests/hub/git/digest.h"
#include "tests/hub/git/safetensors.h"
#include "tests/hub/tests/fetch.h"

namespace modelwatch::testhub {
namespace {

json::Value body_of(const Fetched& fetched) {
  auto read = json::read(fetched.body);
  EXPECT_TRUE(read) << fetched.body;
  return read ? read->value : json::Value();
}

std::string text_at(const json::Value& value, const char* pointer) {
  const json::Value* found = json::at_pointer(value, pointer);
  return found && found->string() ? *found->string() : std::string();
}

class TestHubTest : public ::testing::Test {
 protected:
  void SetUp() override {
    hub->create(
        "acme/tiny",
        {.files = {{"config.json", R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"]})"},
                   {"README.md", "---\nlicense: mit\n---\n# tiny\n"},
                   {"empty.txt", ""},
                   {"onnx/config.json", "{}"},
                   {"model.safetensors", safetensors_file({{"w", "F32", {2, 3}}})}}});
  }
  Fetched get(const std::string& path, std::vector<std::string> headers = {}) {
    return fetch(hub.url() + path, {.headers = std::move(headers)});
  }

  TestHub hub;
};

TEST_F(TestHubTest, InfoOfTheHeadOfMain) {
  const Fetched got = get("/api/models/acme/tiny");
  ASSERT_EQ(got.status, 200) << got.body;
  const json::Value info = body_of(got);
  EXPECT_EQ(text_at(info, "/id"), "acme/tiny");
  EXPECT_EQ(text_at(info, "/sha"), hub->repository("acme/tiny").head()->id);
  EXPECT_EQ(text_at(info, "/cardData/license"), "mit");
  EXPECT_EQ(*json::at_pointer(info, "/safetensors/total"), json::Value(6));
  EXPECT_EQ(got.headers.value("etag"), weak_etag(got.body));
  EXPECT_EQ(got.headers.value("ratelimit"), "\"api\";r=499;t=300");
}

TEST_F(TestHubTest, PlainFileTakesTwoHops) {
  const std::string sha = hub->repository("acme/tiny").head()->id;
  const Fetched first = fetch(hub.url() + "/acme/tiny/resolve/main/config.json", {.method = "HEAD"});
  EXPECT_EQ(first.status, 307);
  EXPECT_EQ(first.headers.value("x-repo-commit"), sha);
  EXPECT_FALSE(first.headers.has("etag"));
  const std::string location = first.headers.value("location");
  ASSERT_TRUE(location.starts_with("/api/resolve-cache/models/acme/tiny/" + sha + "/config.json?"))
      << location;
  const Fetched second = get(location);
  EXPECT_EQ(second.status, 200);
  EXPECT_EQ(second.headers.value("etag"), "\"" + git_object_id("blob", second.body) + "\"");
}

TEST_F(TestHubTest, LfsFileLeadsToTheCdn) {
  const Fetched first = get("/acme/tiny/resolve/main/model.safetensors");
  ASSERT_EQ(first.status, 302) << first.body;
  const std::string location = first.headers.value("location");
  ASSERT_TRUE(location.starts_with(hub.cdn_url())) << location;
  const Fetched whole = fetch(location);
  EXPECT_EQ(whole.status, 200);
  EXPECT_EQ(first.headers.value("x-linked-etag"), "\"" + sha256_hex(whole.body) + "\"");
  EXPECT_EQ(first.headers.value("x-linked-size"), std::to_string(whole.body.size()));
  const Fetched part = fetch(location, {.headers = {"range: bytes=0-7"}});
  EXPECT_EQ(part.status, 206);
  EXPECT_EQ(part.body, whole.body.substr(0, 8));
  EXPECT_EQ(part.headers.value("content-range"), "bytes 0-7/" + std::to_string(whole.body.size()));
}

TEST_F(TestHubTest, PushIsSeenAtOnceAndLogged) {
  const std::string sha =
      hub->push("acme/tiny", {.files = {{"config.json", "{}"}}, .title = "Empty the configuration"});
  const Fetched got = get("/api/models/acme/tiny/commits/main?limit=1");
  ASSERT_EQ(got.status, 200) << got.body;
  const json::Value commits = body_of(got);
  EXPECT_EQ(text_at(commits, "/0/id"), sha);
  EXPECT_EQ(text_at(commits, "/0/title"), "Empty the configuration");
  EXPECT_EQ(got.headers.value("x-total-count"), "3");
  EXPECT_EQ(got.headers.value("link"),
            "<" + hub.url() + "/api/models/acme/tiny/commits/main?p=1&limit=1>; rel=\"next\"");
  const auto entries = hub.log().entries({.path = "*/commits/*"});
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].status, 200);
  EXPECT_FALSE(entries[0].authorization);
}

TEST_F(TestHubTest, TreeHasDirectoriesFirst) {
  const Fetched got = get("/api/models/acme/tiny/tree/main?recursive=true");
  ASSERT_EQ(got.status, 200) << got.body;
  const json::Value tree = body_of(got);
  EXPECT_EQ(text_at(tree, "/0/type"), "directory");
  EXPECT_EQ(text_at(tree, "/0/path"), "onnx");
  EXPECT_EQ(tree.array()->size(), 7U);
}

}  // namespace
}  // namespace modelwatch::testhub
