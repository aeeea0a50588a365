// Mirrors, proxies and servers that copy the Hub's API more or less: what they leave out or do otherwise.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "advisories/manifest/digest.h"
#include "tests/daemon/hub/fake_transport.h"
#include "tests/daemon/hub/support.h"

namespace modelwatch::hub {
namespace {

using testhub::Listener;
using testhub::TestHub;
using testing::HasSubstr;

const std::string kSha(40, 'a');

struct OddServer : testing::Test {
  std::shared_ptr<Wire> wire = std::make_shared<Wire>();
  Client client = make("https://mirror.example");

  Client make(const std::string& endpoint, const std::string& token = {}) const {
    return Client(options_for(endpoint, token), std::make_unique<FakeTransport>(wire));
  }
};

/// A whole file that the endpoint serves itself, LFS or not, with ranges as asked.
Response serve(const Request& request, const std::string& content, bool ranges = true) {
  if (request.method == "HEAD") return reply(200);
  const std::string* range = request.header("range");
  if (!range || !ranges) return reply(200, content.substr(0, request.stop_at_max ? request.max_body : content.npos));
  const auto dash = range->find('-');
  const std::size_t begin = std::stoul(range->substr(6)), end = std::stoul(range->substr(dash + 1)) + 1;
  return reply(206, content.substr(begin, end - begin));
}

std::string safetensors_of(std::size_t padding) {
  std::string header = "{\"w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}" + std::string(padding, ' ');
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(header.size() >> 8 * i & 255);
  return bytes + header + "data";
}

TEST_F(OddServer, ServesEverythingItselfWithoutOptionalHeaders) {
  for (const bool ranges : {true, false}) {
    const std::string content = safetensors_of(200'000);
    wire->answer = [&](const Request& request) { return serve(request, content, ranges); };
    const advisories::ListedFile lfs{"model.safetensors", std::string(40, 'b'), content.size(),
                                     advisories::LfsPointer{advisories::sha256(content), content.size(), 0}};
    const auto header = client.safetensors_header("a/b", kSha, lfs, kNoStop);
    ASSERT_EQ(message_of(header), "ok") << ranges;
    EXPECT_EQ(text_of(header), content.substr(0, content.size() - 4));
    EXPECT_EQ(message_of(client.file("a/b", kSha, lfs, 1 << 20, kNoStop)), "ok");
    const auto head = client.head("a/b", "main", kNoStop);
    ASSERT_EQ(message_of(head), "ok");
    EXPECT_EQ(head->sha, "") << "no X-Repo-Commit: the caller asks for the info";
  }
}

TEST_F(OddServer, AnswersAHeadItselfAndSendsAGetAway) {
  const std::string content = safetensors_of(200'000);
  wire->answer = [&](const Request& request) {
    if (request.url.starts_with("https://cdn.example/")) {
      // As the storage host does: an address serves the range that it was asked for with.
      const std::string pinned = request.url.substr(request.url.find('=') + 1);
      return pinned == *request.header("range") ? serve(request, content) : reply(403, "Auth failed: invalid range");
    }
    if (request.method == "HEAD") return reply(200);
    return reply(302, "", {{"location", "https://cdn.example/x?pinned=" + *request.header("range")}});
  };
  const advisories::ListedFile file{"model.safetensors", std::string(40, 'b'), content.size(), {}};
  EXPECT_EQ(message_of(client.safetensors_header("a/b", kSha, file, kNoStop)), "ok");
}

TEST_F(OddServer, PassesOnTheHubsOwnAddresses) {
  wire->answer = [](const Request& request) {
    EXPECT_TRUE(request.url.starts_with("https://mirror.example/")) << request.url;
    EXPECT_TRUE(request.header("authorization"));
    if (request.url.find("/api/models/old/x") != std::string::npos) {
      std::string target = request.url.substr(std::string("https://mirror.example").size());
      return reply(307, "", {{"location", "https://huggingface.co/api/models/new/x" + target.substr(std::string("/api/models/old/x").size())}});
    }
    if (request.url.find("page2") != std::string::npos) return reply(200, R"([{"type":"file","path":"b","oid":")" + kSha + R"(","size":1}])");
    if (request.url.find("/tree/") != std::string::npos)
      return reply(200, R"([{"type":"file","path":"a","oid":")" + kSha + R"(","size":1}])",
                   {{"link", "<https://huggingface.co/api/models/new/x/tree/" + kSha + "?cursor=page2%3D%3D>; rel=\"next\""}});
    return reply(200, R"({"_id":"1","id":"new/x","sha":")" + kSha + R"("})");
  };
  Client mirror = make("https://mirror.example", "hf_x");
  EXPECT_EQ(message_of(mirror.info("old/x", "main", kNoStop)), "ok");
  const auto tree = mirror.tree("old/x", kSha, kNoStop);
  ASSERT_EQ(message_of(tree), "ok");
  EXPECT_EQ(tree->size(), 2U);
  EXPECT_THAT(wire->asked.back().url, testing::EndsWith("?cursor=page2%3D%3D"));
}

TEST_F(OddServer, SendsAllItsClientsToTheHub) {
  const std::string content = "abc";
  wire->answer = [&](const Request& request) {
    if (request.url.starts_with("https://huggingface.co/")) {
      EXPECT_FALSE(request.header("authorization"));
      return serve(request, content);
    }
    return reply(308, "", {{"location", "https://huggingface.co" + request.url.substr(std::string("https://mirror.example").size())}});
  };
  Client mirror = make("https://mirror.example", "hf_x");
  EXPECT_THAT(message_of(mirror.info("a/b", "main", kNoStop)), HasSubstr("sends its clients to https://huggingface.co"));
  const advisories::ListedFile file{"f", advisories::git_blob_oid(content), 3, {}};
  EXPECT_EQ(message_of(mirror.file("a/b", kSha, file, 10, kNoStop)), "ok") << "a file is a file, wherever it comes from";
}

TEST_F(OddServer, StandsBelowAPath) {
  wire->answer = [](const Request& request) {
    if (request.url == "http://proxy/hf/api/models/a/b/refs") return reply(307, "", {{"location", "/api/models/c/d/refs"}});
    EXPECT_EQ(request.url, "http://proxy/hf/api/models/c/d/refs");
    return reply(200, R"({"branches":[{"name":"main","ref":"refs/heads/main","targetCommit":")" + kSha + R"("}]})");
  };
  EXPECT_EQ(message_of(make("http://proxy/hf/").refs("a/b", kNoStop)), "ok");
}

TEST_F(OddServer, HasNoShaOrAnEmptyOne) {
  wire->answer = in_turn({reply(200, R"({"_id":"1","id":"a/b"})")});
  EXPECT_EQ(kind_of(client.info("a/b", "no-such", kNoStop)), "no_revision");
  wire->answer = in_turn({reply(200, R"({"_id":"1","id":"a/b","sha":""})")});
  EXPECT_EQ(kind_of(client.info("a/b", "no-such", kNoStop)), "no_revision");
  wire->answer = in_turn({reply(200, "", {{"x-repo-commit", "main"}})});
  EXPECT_EQ(client.head("a/b", "main", kNoStop).value().sha, "") << "no 40 hex digits, no commit";
}

TEST_F(OddServer, KnowsNoExpand) {
  wire->answer = [](const Request& request) {
    if (request.url.find("expand") != std::string::npos) return reply(400, R"({"error":"unknown parameter"})");
    return reply(200, R"({"_id":"1","id":"a/b","sha":")" + kSha + R"(","siblings":[],"gated":"auto"})");
  };
  const auto info = client.info("a/b", "main", kNoStop);
  ASSERT_EQ(message_of(info), "ok");
  EXPECT_EQ(info->gated, "auto");
  wire->answer = in_turn({reply(400, R"({"error":"no"})")});
  EXPECT_EQ(kind_of(client.info("a/b", "main", kNoStop)), "refused");
}

TEST_F(OddServer, PagesWithoutLinkOrTotal) {
  const auto commit = [](int i) { return R"({"id":")" + std::string(38, 'c') + std::to_string(10 + i) + R"("})"; };
  std::string page = "[" + commit(0);
  for (int i = 1; i < 11; ++i) page += "," + commit(i);
  wire->answer = [&](const Request&) { return reply(200, page + "]"); };
  const auto full = client.commits("a/b", "main", kSha, 10, kNoStop);
  ASSERT_EQ(message_of(full), "ok");
  EXPECT_FALSE(full->complete) << "a full page may not be the last: unknown, not rewritten";
  const auto whole = client.commits("a/b", "main", kSha, 40, kNoStop).value();
  EXPECT_TRUE(whole.complete);
  EXPECT_EQ(whole.commits.size(), 11U);
}

TEST_F(OddServer, LinksInACircle) {
  wire->answer = [](const Request& request) {
    const bool tree = request.url.find("/tree/") != std::string::npos;
    const std::string entry = tree ? R"({"type":"file","path":"a","oid":")" + kSha + R"(","size":1})" : R"({"id":")" + kSha + R"("})";
    return reply(200, "[" + entry + "]", {{"link", "</api/models/a/b/" + std::string(tree ? "tree" : "commits") + "/x?p=1>; rel=\"next\""}});
  };
  EXPECT_EQ(kind_of(client.tree("a/b", kSha, kNoStop)), "malformed");
  EXPECT_EQ(kind_of(client.commits("a/b", "main", "", 20, kNoStop)), "malformed");
  EXPECT_LE(wire->asked.size(), 30U);
}

TEST_F(OddServer, ListsOneFileTwice) {
  const std::string entry = R"({"type":"file","path":"a","oid":")" + kSha + R"(","size":1})";
  wire->answer = in_turn({reply(200, "[" + entry + "," + entry + "]")});
  EXPECT_EQ(client.tree("a/b", kSha, kNoStop).value().size(), 1U);
  wire->answer = in_turn({reply(200, "[" + entry + R"(,{"type":"file","path":"a","oid":")" + std::string(40, 'b') + R"(","size":1}])")});
  EXPECT_EQ(kind_of(client.tree("a/b", kSha, kNoStop)), "malformed");
}

TEST_F(OddServer, IsBehindItsOwnListing) {
  const std::string content = safetensors_of(10);
  const advisories::ListedFile file{"model.safetensors", std::string(40, 'b'), content.size(),
                                    advisories::LfsPointer{std::string(64, 'c'), content.size(), 0}};
  const auto redirect = [](std::string name, std::string value) {
    return in_turn({reply(302, "", {{"location", "https://cdn.example/x"}, {std::move(name), std::move(value)}})});
  };
  wire->answer = redirect("x-linked-size", "7");
  EXPECT_THAT(message_of(client.safetensors_header("a/b", kSha, file, kNoStop)), HasSubstr("another size"));
  wire->answer = redirect("x-linked-etag", "W/\"" + std::string(64, 'd') + "\"");
  EXPECT_THAT(message_of(client.file("a/b", kSha, file, 1 << 20, kNoStop)), HasSubstr("another sha256"));
  for (const char* range : {"bytes 1-9/64", "bytes 0-7/64", "bytes 0-63/65"}) {
    wire->answer = [&](const Request& request) {
      return request.method == "HEAD" ? reply(200) : reply(206, content.substr(0, 8), {{"content-range", range}});
    };
    EXPECT_EQ(kind_of(client.safetensors_header("a/b", kSha, file, kNoStop)), "malformed") << range;
  }
  wire->answer = [](const Request& request) { return request.method == "HEAD" ? reply(200) : reply(416, "", {{"content-range", "bytes */3"}}); };
  EXPECT_THAT(message_of(client.safetensors_header("a/b", kSha, file, kNoStop)), HasSubstr("shorter than the listing says"));
}

/// The test hub without what a mirror may leave out.
TEST(PlainMirror, WorksWithoutCodesRedirectsAndOptionalHeaders) {
  TestHub hub;
  const testhub::Content weights = testhub::safetensors_file({{"w", "F32", {4}}});
  hub->create("acme/tiny", {.files = {{"config.json", "{}"}, {"model.safetensors", weights}}});
  hub->create("acme/gated", {.files = {{"config.json", "{}"}}, .gate = testhub::Gate::manual});
  hub->add_user({"ann", "hf_ann"});
  hub->behaviour.error_codes = hub->behaviour.xet_headers = hub->behaviour.linked_etag_on_redirect = false;
  hub->behaviour.redirect_plain_files = hub->behaviour.content_length = false;
  Client client = client_for(hub, "hf_ann");
  const auto info = client.info("acme/tiny", "main", kNoStop);
  ASSERT_EQ(message_of(info), "ok");
  EXPECT_EQ(message_of(client.head("acme/tiny", "main", kNoStop)), "ok");
  for (const char* path : {"config.json", "model.safetensors"}) {
    EXPECT_EQ(message_of(client.file("acme/tiny", info->sha, listed(client, "acme/tiny", info->sha, path), 1 << 20, kNoStop)), "ok") << path;
  }
  EXPECT_EQ(kind_of(client.info("acme/no-such", "main", kNoStop)), "missing");
  EXPECT_EQ(kind_of(client.tree("acme/tiny", std::string(40, '0'), kNoStop)), "no_revision");
  EXPECT_EQ(kind_of(client.head("acme/gated", "main", kNoStop)), "refused") << "a bare 403 may be any proxy's: nothing is concluded";
  for (const auto& entry : hub.log().entries()) EXPECT_EQ(entry.authorization, entry.listener == Listener::hub);
}

}  // namespace
}  // namespace modelwatch::hub
