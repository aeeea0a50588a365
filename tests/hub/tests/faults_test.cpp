// What goes wrong on demand, seen from the client's side of the socket.
#include <gtest/gtest.h>

#include <thread>

#include "tests/hub/git/safetensors.h"
#include "tests/hub/test_hub.h"
#include "tests/hub/tests/fetch.h"

namespace modelwatch::testhub {
namespace {

class FaultsOnTheWire : public ::testing::Test {
 protected:
  void SetUp() override {
    first = hub->create("acme/m", {.files = {{"config.json", R"({"model_type": "llama"})"},
                                             {"empty", ""},
                                             {"w.safetensors", safetensors_file({{"w", "F32", {64}}})}}})
                .head()
                ->id;
    second = hub->push("acme/m", {.files = {{"README.md", "# m\n"}}});
  }
  Fetched get(const std::string& path, std::vector<std::string> headers = {}) {
    return fetch(hub.url() + path, {.headers = std::move(headers)});
  }
  std::string cached() { return "/api/resolve-cache/models/acme/m/" + second + "/config.json"; }

  TestHub hub;
  std::string first, second;
};

TEST_F(FaultsOnTheWire, StatusForTheNextRequests) {
  hub->faults.arm({.times = 2, .status = 503});
  EXPECT_EQ(get("/api/models/acme/m").status, 503);
  EXPECT_EQ(get("/api/models/acme/m").headers.value("content-type"), "text/html; charset=utf-8");
  EXPECT_EQ(get("/api/models/acme/m").status, 200);
}

TEST_F(FaultsOnTheWire, CutAfterSomeBytes) {
  hub->faults.arm({.path = "/api/*", .cut_after = 10});
  const Fetched cut = get("/api/models/acme/m");
  EXPECT_EQ(cut.status, 0);
  EXPECT_EQ(cut.body.size(), 10U);
  EXPECT_EQ(get("/api/models/acme/m").status, 200);
}

TEST_F(FaultsOnTheWire, HangUntilTheClientLeaves) {
  hub->faults.arm({.hang = true});
  const Fetched hung = fetch(hub.url() + "/api/models/acme/m", {.timeout_ms = 100});
  EXPECT_EQ(hung.status, 0);
  EXPECT_EQ(hub.log().entries()[0].status, 0);
}

TEST_F(FaultsOnTheWire, TheHubStopsWhileARequestHangs) {
  auto other = std::make_unique<TestHub>();
  (*other)->faults.arm({.hang = true});
  std::thread client([url = other->url()] { EXPECT_EQ(fetch(url + "/api/models").status, 0); });
  EXPECT_TRUE(other->log().wait_for({}, 1, std::chrono::seconds(10)));
  other.reset();
  client.join();
}

TEST_F(FaultsOnTheWire, StaleRefs) {
  hub->faults.arm({.path = "/acme/m/resolve/*", .stale = true});
  EXPECT_EQ(get("/acme/m/resolve/main/config.json").headers.value("x-repo-commit"), first);
  EXPECT_EQ(get("/acme/m/resolve/main/config.json").headers.value("x-repo-commit"), second);
}

TEST_F(FaultsOnTheWire, NoContentLengthAndNoLinkedEtag) {
  hub->faults.arm(
      {.times = 2, .drop_headers = {"x-linked-etag", "x-linked-size"}, .no_content_length = true});
  const Fetched redirect = fetch(hub.url() + "/acme/m/resolve/main/w.safetensors", {.method = "HEAD"});
  EXPECT_EQ(redirect.status, 302);
  EXPECT_FALSE(redirect.headers.has("content-length"));
  EXPECT_FALSE(redirect.headers.has("x-linked-etag"));
  const Fetched chunked = get(cached());
  EXPECT_EQ(chunked.status, 200);
  EXPECT_FALSE(chunked.headers.has("content-length"));
  EXPECT_EQ(chunked.body, R"({"model_type": "llama"})");
}

TEST_F(FaultsOnTheWire, Ranges) {
  EXPECT_EQ(get(cached(), {"range: bytes=2-5"}).body, "mode");
  EXPECT_EQ(get(cached(), {"range: bytes=2-5"}).headers.value("content-range"), "bytes 2-5/23");
  EXPECT_EQ(get(cached(), {"range: bytes=-3"}).body, "a\"}");
  EXPECT_EQ(get(cached(), {"range: bytes=20-"}).body, "a\"}");
  EXPECT_EQ(get(cached(), {"range: bytes=23-"}).status, 416);
  EXPECT_EQ(get(cached(), {"range: bytes=23-"}).headers.value("content-range"), "bytes */23");
  EXPECT_EQ(get(cached(), {"range: bytes=0-1,3-4"}).status, 200);
  EXPECT_EQ(get("/acme/m/resolve/main/empty", {"range: bytes=0-0"}).status, 200);
  hub->faults.arm({.ignore_range = true});
  EXPECT_EQ(get(cached(), {"range: bytes=2-5"}).status, 200);
}

TEST_F(FaultsOnTheWire, Gzip) {
  hub->behaviour.gzip = true;
  const Fetched plain = get(cached(), {"accept-encoding: identity"});
  EXPECT_FALSE(plain.headers.has("content-encoding"));
  const Fetched packed = get(cached(), {"accept-encoding: gzip"});
  EXPECT_EQ(packed.headers.value("content-encoding"), "gzip");
  EXPECT_EQ(packed.body.substr(0, 2), "\x1f\x8b");
  EXPECT_EQ(packed.headers.value("etag"), "W/" + plain.headers.value("etag"));
  EXPECT_FALSE(packed.headers.has("content-length"));
  EXPECT_EQ(get(cached(), {"accept-encoding: gzip", "range: bytes=2-5"}).body, "mode");
}

TEST_F(FaultsOnTheWire, NotModified) {
  const std::string etag = get(cached()).headers.value("etag");
  EXPECT_EQ(get(cached(), {"if-none-match: " + etag}).status, 304);
  EXPECT_EQ(get("/acme/m/resolve/main/config.json", {"if-none-match: " + etag}).status, 304);
  EXPECT_EQ(get("/acme/m/raw/main/config.json", {"if-none-match: " + etag}).status, 200);
  EXPECT_EQ(get(cached(), {"if-none-match: \"0\""}).status, 200);
  const std::string weak = get("/api/models/acme/m").headers.value("etag");
  const Fetched unchanged = get("/api/models/acme/m", {"if-none-match: " + weak});
  EXPECT_EQ(unchanged.status, 304);
  EXPECT_EQ(unchanged.headers.value("ratelimit"), "\"api\";r=498;t=300");
  hub->behaviour.conditional_api = false;
  EXPECT_EQ(get("/api/models/acme/m", {"if-none-match: " + weak}).status, 200);
}

TEST_F(FaultsOnTheWire, QuotaOfTheAnonymousAndOfUsers) {
  hub->add_user({"ann", "hf_ann"});
  hub->quotas.set_limit(Plan::anonymous, Bucket::api, 2);
  hub->behaviour.retry_after = true;
  EXPECT_EQ(get("/api/models/acme/m").headers.value("ratelimit"), "\"api\";r=1;t=300");
  EXPECT_EQ(get("/api/models/acme/nothing").headers.value("ratelimit"), "\"api\";r=0;t=300");
  const Fetched refused = get("/api/models/acme/m");
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.headers.value("ratelimit"), "\"api\";r=0;t=300");
  EXPECT_EQ(refused.headers.value("ratelimit-policy"), "\"fixed window\";\"api\";q=2;w=300");
  EXPECT_EQ(refused.headers.value("retry-after"), "300");
  EXPECT_EQ(get("/acme/m/resolve/main/config.json").status, 307);
  EXPECT_EQ(get("/api/models/acme/m", {"authorization: Bearer hf_ann"}).status, 200);
  hub->clock.set(hub->clock.now() + std::chrono::seconds(300), 0);
  EXPECT_EQ(get("/api/models/acme/m").status, 200);
}

TEST_F(FaultsOnTheWire, APushBetweenTwoRequests) {
  std::string third;
  hub->faults.arm({.path = "*/tree/*", .before = [&](World& world) {
                     third = world.push("acme/m", {.files = {{"n", "1"}}});
                   }});
  EXPECT_EQ(get("/acme/m/resolve/main/config.json").headers.value("x-repo-commit"), second);
  EXPECT_NE(get("/api/models/acme/m/tree/main").body.find("\"path\":\"n\""), std::string::npos);
  EXPECT_EQ(get("/acme/m/resolve/main/config.json").headers.value("x-repo-commit"), third);
}

TEST_F(FaultsOnTheWire, ARealBodyReplaced) {
  hub->faults.arm({.path = "*/commits/*", .body = "[{\"id\": "});
  const Fetched broken = get("/api/models/acme/m/commits/main");
  EXPECT_EQ(broken.status, 200);
  EXPECT_EQ(broken.body, "[{\"id\": ");
}

TEST_F(FaultsOnTheWire, TokensAreSeenInTheLogOnly) {
  hub->add_user({"ann", "hf_ann"});
  get("/api/models/acme/m", {"authorization: Bearer hf_ann"});
  const LogEntry entry = hub.log().entries()[0];
  EXPECT_TRUE(entry.authorization);
  EXPECT_EQ(entry.user, "ann");
  EXPECT_FALSE(entry.headers.has("authorization"));
}

TEST_F(FaultsOnTheWire, ThousandsOfRepositories) {
  for (int i = 0; i < 10'000; ++i)
    hub->create("org" + std::to_string(i % 100) + "/m" + std::to_string(i),
                {.files = {{"config.json", "{}"}}});
  EXPECT_EQ(get("/org7/m107/resolve/main/.gitattributes").status, 307);
  EXPECT_EQ(get("/api/models?author=org7&sort=lastModified&expand[]=sha").status, 200);
}

}  // namespace
}  // namespace modelwatch::testhub
