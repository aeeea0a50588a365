// The operations against the test hub: what they give, and what faults on the way make of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/daemon/hub/gguf_file.h"
#include "tests/daemon/hub/support.h"

namespace modelwatch::hub {
namespace {

using testhub::Access;
using testhub::Gate;
using testhub::Listener;
using testhub::TestHub;
using testing::HasSubstr;

const testhub::Content kWeights = testhub::safetensors_file({{"w", "F32", {4, 4}}, {"b", "F32", {4}}});

struct HubClient : testing::Test {
  TestHub hub;
  Client client = client_for(hub);
  std::string sha;

  void create(testhub::Files files) {
    hub->create("acme/tiny", {.files = std::move(files)});
    sha = head_of(client, "acme/tiny");
  }
  advisories::ListedFile listed_file(const std::string& path) { return listed(client, "acme/tiny", sha, path); }
  Outcome<advisories::Bytes> file(const std::string& path) { return client.file("acme/tiny", sha, listed_file(path), 64 << 20, kNoStop); }
  Outcome<advisories::Bytes> header(const std::string& path) { return client.safetensors_header("acme/tiny", sha, listed_file(path), kNoStop); }
};

TEST_F(HubClient, AnUnchangedRepositoryCostsOneRequest) {
  create({{"config.json", "{}"}});
  const auto mark = hub.log().last();
  const auto head = client.head("acme/tiny", "main", kNoStop);
  ASSERT_EQ(message_of(head), "ok");
  EXPECT_EQ(head->sha, sha);
  EXPECT_EQ(head->renamed_to, "");
  EXPECT_EQ(hub.log().count({.after = mark}), 1U);
}

TEST_F(HubClient, HeadsOfOtherRefs) {
  create({{"config.json", "{}"}});
  hub->tag("acme/tiny", "v1");
  const int pull = hub->open_pull_request("acme/tiny", {.files = {{"x", "y"}}});
  EXPECT_EQ(client.head("acme/tiny", "v1", kNoStop).value().sha, sha);
  const auto proposed = client.head("acme/tiny", "refs/pr/" + std::to_string(pull), kNoStop);
  ASSERT_EQ(message_of(proposed), "ok");
  EXPECT_NE(proposed->sha, sha);
  EXPECT_EQ(kind_of(client.head("acme/tiny", "no-such", kNoStop)), "no_revision");
}

TEST_F(HubClient, AHeadWithoutGitattributesIsStillAHead) {
  hub->create("acme/bare", {.files = {{"config.json", "{}"}}, .initial_commit = false});
  const auto head = client.head("acme/bare", "main", kNoStop);
  ASSERT_EQ(message_of(head), "ok");
  EXPECT_EQ(head->sha, head_of(client, "acme/bare"));
}

TEST_F(HubClient, GatedRepositoriesArePolledByTheirCard) {
  hub->create("acme/gated", {.files = {{"README.md", "# x"}, {"config.json", "{}"}}, .gate = Gate::automatic});
  const auto head = client.head("acme/gated", "main", kNoStop);
  ASSERT_EQ(message_of(head), "ok");
  const auto info = client.info("acme/gated", "main", kNoStop);
  ASSERT_EQ(message_of(info), "ok");
  EXPECT_EQ(head->sha, info->sha);
  EXPECT_EQ(info->gated, "auto");
  const auto mark = hub.log().last();
  EXPECT_EQ(message_of(client.head("acme/gated", "main", kNoStop)), "ok");
  EXPECT_EQ(hub.log().count({.after = mark}), 1U) << "the gate is remembered";
  const auto config = listed(client, "acme/gated", info->sha, "config.json");
  EXPECT_EQ(kind_of(client.file("acme/gated", info->sha, config, 1 << 20, kNoStop)), "gated");
  EXPECT_EQ(kind_of(client.commits("acme/gated", info->sha, "", 5, kNoStop)), "gated");

  hub->add_user({"ben", "hf_ben"});
  hub->set_access("acme/gated", "ben", Access::pending);
  Client waiting = client_for(hub, "hf_ben");
  const auto refused = waiting.file("acme/gated", info->sha, config, 1 << 20, kNoStop);
  EXPECT_EQ(kind_of(refused), "gated");
  EXPECT_THAT(message_of(refused), HasSubstr("403"));
  hub->set_access("acme/gated", "ben", Access::granted);
  EXPECT_EQ(message_of(waiting.file("acme/gated", info->sha, config, 1 << 20, kNoStop)), "ok");
}

TEST_F(HubClient, DisabledAndDeleted) {
  create({{"config.json", "{}"}});
  hub->repository("acme/tiny").disabled = true;
  EXPECT_EQ(kind_of(client.head("acme/tiny", "main", kNoStop)), "disabled");
  const auto info = client.info("acme/tiny", "main", kNoStop);
  ASSERT_EQ(message_of(info), "ok");
  EXPECT_TRUE(info->disabled);
  hub->remove("acme/tiny");
  EXPECT_EQ(kind_of(client.head("acme/tiny", "main", kNoStop)), "missing");
  hub->add_user({"ann", "hf_ann"});
  Client known = client_for(hub, "hf_ann");
  EXPECT_EQ(kind_of(known.info("acme/tiny", "main", kNoStop)), "missing");
  EXPECT_FALSE(known.token_refused());
}

TEST_F(HubClient, InfoOfADefaultBranchALegacyNameAndARevision) {
  create({{"README.md", "---\nlicense: mit\nbase_model: acme/base\n---\n"}, {"model.safetensors", kWeights}});
  hub->redirect("tiny", "acme/tiny");
  const auto info = client.info("tiny", "", kNoStop);
  ASSERT_EQ(message_of(info), "ok");
  EXPECT_EQ(info->name, "acme/tiny");
  EXPECT_EQ(info->license, "mit");
  EXPECT_EQ(info->base_model, "acme/base");
  EXPECT_EQ(info->hub_id.size(), 24U);
  const std::string before = sha;
  hub->push("acme/tiny", {.files = {{"x", "y"}}});
  EXPECT_EQ(client.info("acme/tiny", before, kNoStop).value().sha, before);
  EXPECT_EQ(kind_of(client.info("acme/tiny", "no-such", kNoStop)), "no_revision");
}

TEST_F(HubClient, CommitsUpToTheKnownOneTheLimitOrTheEnd) {
  create({});
  std::vector<std::string> shas;
  for (int i = 0; i < 60; ++i) shas.push_back(hub->push("acme/tiny", {.files = {{"n", std::to_string(i)}}, .title = "n " + std::to_string(i)}));
  const auto all = client.commits("acme/tiny", shas.back(), "", std::numeric_limits<int>::max(), kNoStop);
  ASSERT_EQ(message_of(all), "ok");
  EXPECT_EQ(all->commits.size(), 61U);
  EXPECT_TRUE(all->complete);
  EXPECT_EQ(all->commits[0].sha, shas.back());
  EXPECT_EQ(all->commits[0].title, "n 59");
  EXPECT_EQ(all->commits[0].authors, std::vector<std::string>{"uploader"});
  EXPECT_GT(all->commits[0].date.time_since_epoch().count(), 0);

  const auto since = client.commits("acme/tiny", shas.back(), shas[4], 1'000, kNoStop);
  ASSERT_EQ(message_of(since), "ok");
  EXPECT_TRUE(since->met_known);
  EXPECT_EQ(since->commits.size(), 55U);
  EXPECT_EQ(since->commits.back().sha, shas[5]);

  const auto none = client.commits("acme/tiny", shas.back(), shas.back(), 1'000, kNoStop).value();
  EXPECT_TRUE(none.met_known);
  EXPECT_TRUE(none.commits.empty());

  const auto few = client.commits("acme/tiny", shas.back(), "", 20, kNoStop).value();
  EXPECT_EQ(few.commits.size(), 20U);
  EXPECT_FALSE(few.complete);
  EXPECT_FALSE(few.met_known);
  const auto exactly = client.commits("acme/tiny", shas.back(), "", 61, kNoStop).value();
  EXPECT_EQ(exactly.commits.size(), 61U);
  EXPECT_TRUE(exactly.complete) << "the limit and the end are the same";
  const auto capped = client.commits("acme/tiny", shas.back(), shas[0], 10, kNoStop).value();
  EXPECT_FALSE(capped.met_known);
  EXPECT_FALSE(capped.complete) << "unknown, not rewritten";
  EXPECT_EQ(kind_of(client.commits("acme/tiny", std::string(40, '0'), "", 10, kNoStop)), "no_revision");
}

TEST_F(HubClient, RefsWithTags) {
  create({{"config.json", "{}"}});
  hub->tag("acme/tiny", "v1");
  const auto refs = client.refs("acme/tiny", kNoStop);
  ASSERT_EQ(message_of(refs), "ok");
  ASSERT_EQ(refs->size(), 2U);
  EXPECT_EQ((*refs)[0].ref, "refs/heads/main");
  EXPECT_EQ((*refs)[1].ref, "refs/tags/v1");
  EXPECT_EQ((*refs)[1].sha, sha);
}

TEST_F(HubClient, ListsByAuthorAndByLastChange) {
  using namespace std::chrono_literals;
  const auto start = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()) - 1h;
  for (int i = 0; i < 7; ++i) hub->create((i % 2 ? "acme/m" : "other/m") + std::to_string(i), {.files = {{"n", "1"}}, .date = start + i * 60s});
  const auto all = client.list("", "", 100, kNoStop);
  ASSERT_EQ(message_of(all), "ok");
  EXPECT_EQ(all->repositories.size(), 7U);
  EXPECT_TRUE(all->complete);
  EXPECT_EQ(all->repositories[0].name, "other/m6") << "newest first";
  EXPECT_EQ(all->repositories[0].sha, client.head("other/m6", "main", kNoStop).value().sha);
  const auto acme = client.list("acme", "", 100, kNoStop).value();
  EXPECT_EQ(acme.repositories.size(), 3U);
  const auto newer = client.list("", all->repositories[2].last_modified, 100, kNoStop).value();
  EXPECT_EQ(newer.repositories.size(), 2U);
  EXPECT_FALSE(newer.complete);
  hub->faults.arm({.path = "/api/models", .times = -1, .page_size = 2});
  const auto paged = client.list("", "", 5, kNoStop);
  ASSERT_EQ(message_of(paged), "ok");
  EXPECT_EQ(paged->repositories.size(), 5U);
  EXPECT_FALSE(paged->complete);
  EXPECT_EQ(client.list("", "", 100, kNoStop).value().repositories.size(), 7U);
}

TEST_F(HubClient, AFileIsVerified) {
  create({{"config.json", "{\"a\": 1}"}, {"deep/er/ünï cödé #1?.json", "{}"}, {"model.safetensors", kWeights}});
  EXPECT_EQ(text_of(file("config.json")), "{\"a\": 1}");
  EXPECT_EQ(message_of(file("deep/er/ünï cödé #1?.json")), "ok");
  EXPECT_EQ(text_of(file("model.safetensors")), kWeights.bytes());
  EXPECT_THAT(message_of(client.file("acme/tiny", sha, listed_file("config.json"), 3, kNoStop)), HasSubstr("larger than 3 bytes"));

  hub->faults.arm({.path = "*/config.json", .skip = 1, .body = "{\"a\": 2}"});
  EXPECT_THAT(message_of(file("config.json")), HasSubstr("other bytes than the listing says"));
  hub->faults.arm({.listener = Listener::cdn, .body = std::string(kWeights.size(), 'x')});
  EXPECT_EQ(kind_of(file("model.safetensors")), "malformed");
  hub->faults.arm({.listener = Listener::cdn, .body = std::string(1 << 20, 'x')});
  EXPECT_THAT(message_of(file("model.safetensors")), HasSubstr("longer than"));
  hub->faults.arm({.listener = Listener::cdn, .body = "short"});
  EXPECT_EQ(kind_of(file("model.safetensors")), "malformed");
}

TEST_F(HubClient, ACutBodyIsReadAgain) {
  create({{"config.json", std::string(5'000, ' ')}, {"model.safetensors", kWeights}});
  hub->faults.arm({.path = "/api/resolve-cache/*", .cut_after = 100});
  EXPECT_EQ(message_of(file("config.json")), "ok");
  hub->faults.arm({.listener = Listener::cdn, .cut_after = 3});
  EXPECT_EQ(message_of(header("model.safetensors")), "ok");
  hub->faults.arm({.listener = Listener::cdn, .times = -1, .cut_after = 3});
  EXPECT_EQ(kind_of(header("model.safetensors")), "refused");
}

TEST_F(HubClient, A403OfTheCdnMeansAnotherAddressAndNeverAGate) {
  create({{"model.safetensors", kWeights}});
  hub->faults.arm({.listener = Listener::cdn, .status = 403});
  EXPECT_EQ(message_of(header("model.safetensors")), "ok");
  EXPECT_EQ(hub.log().count({.path = "/acme/tiny/resolve/*"}), 2U);
  hub->faults.arm({.listener = Listener::cdn, .status = 403});
  EXPECT_EQ(message_of(file("model.safetensors")), "ok");
  hub->faults.arm({.listener = Listener::cdn, .times = -1, .status = 403});
  EXPECT_EQ(kind_of(header("model.safetensors")), "refused");
  EXPECT_EQ(kind_of(file("model.safetensors")), "refused");
}

TEST_F(HubClient, AnAddressThatExpiredBetweenTwoRangesIsReplaced) {
  std::vector<testhub::Tensor> tensors;
  for (int i = 0; i < 2'000; ++i) tensors.push_back({"model.layers." + std::to_string(i) + ".self_attn.q_proj.weight", "BF16", {2, 2}});
  create({{"model.safetensors", testhub::safetensors_file(tensors)}});
  hub->faults.arm({.listener = Listener::cdn, .skip = 1, .before = [](testhub::World& world) { world.clock.advance(std::chrono::hours(2)); }});
  const auto bytes = header("model.safetensors");
  ASSERT_EQ(message_of(bytes), "ok");
  EXPECT_EQ(hub.log().count({.listener = Listener::cdn, .status = 403}), 1U);
  EXPECT_EQ(hub.log().count({.path = "/acme/tiny/resolve/*"}), 2U);
}

TEST_F(HubClient, AnIgnoredRangeIsReadAsFarAsNeeded) {
  create({{"model.safetensors", testhub::Content::hollow(std::string(kWeights.bytes()), 200'000'000)}});
  hub->behaviour.ignore_range = true;
  const auto bytes = header("model.safetensors");
  ASSERT_EQ(message_of(bytes), "ok");
  EXPECT_LT(text_of(bytes).size(), 1'000U);
}

TEST_F(HubClient, HeadersOfFilesThatAreKeptInGit) {
  create({{"model.safetensors", {kWeights, false}}, {"broken.safetensors", {testhub::Content(std::string(8, '\0') + "x"), false}},
          {"text.safetensors", {testhub::Content(std::string("\x04\0\0\0\0\0\0\0abcd", 12)), false}},
          {"short.safetensors", {testhub::Content("abc"), false}}});
  EXPECT_EQ(message_of(header("model.safetensors")), "ok");
  EXPECT_EQ(text_of(header("broken.safetensors")).size(), 8U) << "an empty header is for the reader to judge";
  EXPECT_THAT(message_of(header("text.safetensors")), HasSubstr("no JSON"));
  EXPECT_THAT(message_of(header("short.safetensors")), HasSubstr("too short"));
}

TEST_F(HubClient, GgufHeadersByGrowingRanges) {
  const std::string small = gguf_header_of({"a"}), large = gguf_header_of(std::vector<std::string>(150'000, std::string(30, 't')));
  ASSERT_GT(large.size(), 4U << 20);
  create({{"s.gguf", testhub::Content::hollow(small, 300'000'000)}, {"l.gguf", testhub::Content::hollow(large, 300'000'000)},
          {"cut.gguf", {testhub::Content(large.substr(0, 2 << 20)), true}}, {"no.gguf", {testhub::Content(std::string(9, 'x')), true}},
          {"empty.gguf", {testhub::Content(""), false}}});
  const auto gguf = [&](const std::string& path) { return client.gguf_header("acme/tiny", sha, listed_file(path), kNoStop); };
  EXPECT_EQ(text_of(gguf("s.gguf")), small);
  EXPECT_EQ(text_of(gguf("l.gguf")), large);
  EXPECT_EQ(hub.log().count({.path = "/acme/tiny/resolve/*"}), 2U);
  EXPECT_EQ(hub.log().count({.listener = Listener::cdn}), 4U) << "one range, and three that grow";
  EXPECT_THAT(message_of(gguf("cut.gguf")), HasSubstr("longer than the file"));
  EXPECT_THAT(message_of(gguf("no.gguf")), HasSubstr("does not start with GGUF"));
  EXPECT_EQ(kind_of(gguf("empty.gguf")), "malformed");
}

TEST_F(HubClient, NoContentLengthIsNoTrouble) {
  create({{"config.json", "{}"}, {"model.safetensors", kWeights}});
  hub->behaviour.content_length = false;
  EXPECT_EQ(message_of(file("config.json")), "ok");
  EXPECT_EQ(message_of(file("model.safetensors")), "ok");
  EXPECT_EQ(message_of(header("model.safetensors")), "ok");
  EXPECT_EQ(message_of(client.head("acme/tiny", "main", kNoStop)), "ok");
}

TEST_F(HubClient, ATreeAtAShaThatIsGone) {
  create({{"config.json", "{}"}});
  hub->super_squash("acme/tiny");
  EXPECT_EQ(kind_of(client.tree("acme/tiny", sha, kNoStop)), "no_revision");
}

TEST_F(HubClient, InvalidJsonUpstreamIsMalformed) {
  create({{"config.json", "{}"}});
  hub->faults.arm({.path = "/api/models/acme/tiny/tree/*", .body = "[{\"type\": \"file\""});
  EXPECT_EQ(kind_of(client.tree("acme/tiny", sha, kNoStop)), "malformed");
  hub->faults.arm({.path = "/api/models/acme/tiny/commits/*", .body = "<html>"});
  EXPECT_EQ(kind_of(client.commits("acme/tiny", sha, "", 5, kNoStop)), "malformed");
}

TEST_F(HubClient, AStopEndsEveryOperation) {
  create({{"config.json", "{}"}});
  std::stop_source source;
  source.request_stop();
  const std::stop_token stop = source.get_token();
  EXPECT_EQ(kind_of(client.head("acme/tiny", "main", stop)), "interrupted");
  EXPECT_EQ(kind_of(client.info("acme/tiny", "main", stop)), "interrupted");
  EXPECT_EQ(kind_of(client.commits("acme/tiny", "main", "", 5, stop)), "interrupted");
  EXPECT_EQ(kind_of(client.tree("acme/tiny", sha, stop)), "interrupted");
  EXPECT_EQ(kind_of(client.list("", "", 5, stop)), "interrupted");
}

}  // namespace
}  // namespace modelwatch::hub
