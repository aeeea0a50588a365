// One test per known way to read the Hub wrongly; each breaks where the client steps into it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "advisories/manifest/digest.h"
#include "tests/daemon/hub/support.h"

namespace modelwatch::hub {
namespace {

using testhub::Gate;
using testhub::Listener;
using testhub::TestHub;

/// A safetensors file whose header does not fit into the first range.
testhub::Content long_header() {
  std::vector<testhub::Tensor> tensors;
  for (int i = 0; i < 2'000; ++i) tensors.push_back({"model.layers." + std::to_string(i) + ".self_attn.q_proj.weight", "BF16", {2, 2}});
  return testhub::safetensors_file(tensors);
}

std::string header_bytes(const testhub::Content& file) {
  const std::string bytes(file.bytes());
  std::uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
  return bytes.substr(0, 8 + length);
}

// The range of a request to /resolve is written into the signed address, which then serves no other.
TEST(Trap01, RangesGoToTheCdnAndNeverToResolve) {
  TestHub hub;
  const testhub::Content weights = long_header();
  hub->create("acme/tiny", {.files = {{"model.safetensors", weights}}});
  Client client = client_for(hub);
  const std::string sha = head_of(client, "acme/tiny");
  const auto header = client.safetensors_header("acme/tiny", sha, listed(client, "acme/tiny", sha, "model.safetensors"), kNoStop);
  ASSERT_EQ(message_of(header), "ok");
  EXPECT_EQ(text_of(header), header_bytes(weights));
  EXPECT_GT(text_of(header).size(), 100'001U);
  for (const auto& entry : hub.log().entries({.listener = Listener::hub})) EXPECT_FALSE(entry.headers.has("range")) << entry.target;
  EXPECT_EQ(hub.log().count({.path = "*/resolve/*"}), 1U);
  EXPECT_EQ(hub.log().count({.listener = Listener::cdn}), 2U);
}

// Every GET or HEAD of config.json counts as a download of the model.
TEST(Trap02, ThePollCountsAsNoDownload) {
  TestHub hub;
  hub->create("acme/tiny", {.files = {{"config.json", "{}"}}});
  Client client = client_for(hub);
  ASSERT_EQ(message_of(client.head("acme/tiny", "main", kNoStop)), "ok");
  const auto entries = hub.log().entries();
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].method, "HEAD");
  EXPECT_EQ(entries[0].path, "/acme/tiny/resolve/main/.gitattributes");
}

// For a stranger 401 means missing or private; only the code tells of a gate; and a stale token is not the repository's fault.
TEST(Trap03, A401IsReadByItsCode) {
  TestHub hub;
  hub->create("acme/open", {.files = {{"config.json", "{}"}}});
  hub->create("acme/gated", {.files = {{"config.json", "{}"}}, .gate = Gate::manual});
  hub->create("acme/hidden", {.files = {{"config.json", "{}"}}, .is_private = true});
  Client anonymous = client_for(hub);
  EXPECT_EQ(kind_of(anonymous.info("acme/no-such", "main", kNoStop)), "missing");
  EXPECT_EQ(kind_of(anonymous.info("acme/hidden", "main", kNoStop)), "missing");
  EXPECT_EQ(kind_of(anonymous.commits("acme/gated", "main", "", 10, kNoStop)), "gated");

  Client stale = client_for(hub, "hf_stale");
  EXPECT_EQ(kind_of(stale.info("acme/open", "main", kNoStop)), "ok");
  EXPECT_TRUE(stale.token_refused());
  const auto hidden = stale.info("acme/hidden", "main", kNoStop);
  EXPECT_EQ(kind_of(hidden), "missing");
  EXPECT_THAT(message_of(hidden), testing::HasSubstr("the token was refused"));
}

// The body of a redirect has a length of its own.
TEST(Trap04, TheLengthOfARedirectIsNotThatOfTheFile) {
  TestHub hub;
  hub->create("acme/tiny", {.files = {{"config.json", "{}"}, {"model.safetensors", testhub::safetensors_file({{"w", "F32", {4}}})}}});
  Client client = client_for(hub);
  const std::string sha = head_of(client, "acme/tiny");
  const auto weights = listed(client, "acme/tiny", sha, "model.safetensors");
  EXPECT_EQ(message_of(client.safetensors_header("acme/tiny", sha, weights, kNoStop)), "ok");
  EXPECT_EQ(message_of(client.file("acme/tiny", sha, weights, 1 << 20, kNoStop)), "ok");
  // A file shorter than the text of the redirect that leads to it.
  EXPECT_EQ(message_of(client.file("acme/tiny", sha, listed(client, "acme/tiny", sha, "config.json"), 1 << 20, kNoStop)), "ok");
}

// The CDN's ETag and the Xet hash have 64 hex digits as well.
TEST(Trap05, TheXetHashIsNoSha256) {
  TestHub hub;
  const testhub::Content weights = testhub::safetensors_file({{"w", "F32", {4}}});
  hub->create("acme/tiny", {.files = {{"model.safetensors", weights}}});
  Client client = client_for(hub);
  const std::string sha = head_of(client, "acme/tiny");
  const auto file = listed(client, "acme/tiny", sha, "model.safetensors");
  ASSERT_TRUE(file.lfs);
  EXPECT_EQ(file.lfs->sha256, advisories::sha256(weights.bytes()));
  EXPECT_EQ(message_of(client.file("acme/tiny", sha, file, 1 << 20, kNoStop)), "ok");
  // What the Hub says it serves must be what it listed.
  auto other = file;
  other.lfs->sha256 = std::string(64, 'a');
  EXPECT_EQ(kind_of(client.safetensors_header("acme/tiny", sha, other, kNoStop)), "malformed");
}

// The oid of an LFS file is that of its pointer.
TEST(Trap06, AnLfsFileIsVerifiedByItsSha256) {
  TestHub hub;
  hub->create("acme/tiny", {.files = {{"tokenizer.json", {testhub::Content("{\"model\": {}}"), true}}}});
  Client client = client_for(hub);
  const std::string sha = head_of(client, "acme/tiny");
  auto file = listed(client, "acme/tiny", sha, "tokenizer.json");
  ASSERT_TRUE(file.lfs);
  EXPECT_EQ(message_of(client.file("acme/tiny", sha, file, 1 << 20, kNoStop)), "ok");
  // With the sha256 masked, the pointer's oid still decides.
  file.lfs->sha256.clear();
  EXPECT_EQ(message_of(client.file("acme/tiny", sha, file, 1 << 20, kNoStop)), "ok");
  file.oid = std::string(40, '0');
  EXPECT_EQ(kind_of(client.file("acme/tiny", sha, file, 1 << 20, kNoStop)), "malformed");
}

// Plain files come by a relative 307; the commit stands on the first answer, the CDN does not know it.
TEST(Trap07, RelativeRedirectsAreFollowedAndTheCommitIsKept) {
  TestHub hub;
  hub->create("acme/tiny", {.files = {{"config.json", "{\"a\": 1}"}, {".gitattributes", {testhub::Content("* -text\n"), true}}}});
  Client client = client_for(hub);
  const auto head = client.head("acme/tiny", "main", kNoStop);
  ASSERT_EQ(message_of(head), "ok");
  EXPECT_EQ(head->sha, head_of(client, "acme/tiny"));
  EXPECT_EQ(hub.log().count({.listener = Listener::cdn}), 0U);
  const auto file = client.file("acme/tiny", head->sha, listed(client, "acme/tiny", head->sha, "config.json"), 1 << 20, kNoStop);
  ASSERT_EQ(message_of(file), "ok");
  EXPECT_EQ(text_of(file), "{\"a\": 1}");
  EXPECT_EQ(hub.log().count({.path = "/api/resolve-cache/*", .status = 200}), 1U);
}

// The token goes along on the Hub's own redirects and nowhere else.
TEST(Trap08, TheTokenStaysWithTheEndpoint) {
  TestHub hub;
  hub->add_user({"ann", "hf_ann", testhub::Plan::free, {"acme"}});
  hub->create("acme/old", {.files = {{"config.json", "{}"}, {"model.safetensors", testhub::safetensors_file({{"w", "F32", {4}}})}}, .is_private = true});
  hub->rename("acme/old", "acme/new");
  Client client = client_for(hub, "hf_ann");
  const auto info = client.info("acme/old", "main", kNoStop);
  ASSERT_EQ(message_of(info), "ok");
  EXPECT_EQ(message_of(client.head("acme/old", "main", kNoStop)), "ok");
  const auto weights = listed(client, "acme/old", info->sha, "model.safetensors");
  EXPECT_EQ(message_of(client.safetensors_header("acme/old", info->sha, weights, kNoStop)), "ok");
  EXPECT_EQ(message_of(client.file("acme/old", info->sha, weights, 1 << 20, kNoStop)), "ok");
  EXPECT_EQ(message_of(client.file("acme/old", info->sha, listed(client, "acme/old", info->sha, "config.json"), 1 << 20, kNoStop)), "ok");
  EXPECT_GT(hub.log().count({.status = 307}), 4U);
  EXPECT_EQ(hub.log().count({.listener = Listener::cdn}), 2U);
  for (const auto& entry : hub.log().entries()) EXPECT_EQ(entry.authorization, entry.listener == Listener::hub) << entry.target;
}

// A push in between must not mix two revisions.
TEST(Trap09, FilesAreReadAtAShaOnly) {
  TestHub hub;
  hub->create("acme/tiny", {.files = {{"config.json", "{\"a\": 1}"}}});
  Client client = client_for(hub);
  const std::string sha = head_of(client, "acme/tiny");
  const auto file = listed(client, "acme/tiny", sha, "config.json");
  hub->push("acme/tiny", {.files = {{"config.json", "{\"a\": 2}"}}});
  const auto bytes = client.file("acme/tiny", sha, file, 1 << 20, kNoStop);
  ASSERT_EQ(message_of(bytes), "ok");
  EXPECT_EQ(text_of(bytes), "{\"a\": 1}");
  EXPECT_THROW((void)client.tree("acme/tiny", "main", kNoStop), std::invalid_argument);
  EXPECT_THROW((void)client.file("acme/tiny", "main", file, 1 << 20, kNoStop), std::invalid_argument);
  EXPECT_THROW((void)client.safetensors_header("acme/tiny", "main", file, kNoStop), std::invalid_argument);
}

// A push between two pages shifts them; a rewritten history ends without the known commit.
TEST(Trap10, HistoryIsNotAssumedLinear) {
  TestHub hub;
  hub->create("acme/tiny");
  std::vector<std::string> shas;
  for (int i = 0; i < 8; ++i) shas.push_back(hub->push("acme/tiny", {.files = {{"n", std::to_string(i)}}}));
  Client client = client_for(hub);
  hub->faults.arm({.path = "*/commits/*", .times = -1, .page_size = 3});
  hub->faults.arm({.path = "*/commits/*", .skip = 1, .before = [](testhub::World& world) { world.push("acme/tiny", {.files = {{"n", "x"}}}); }});
  const auto list = client.commits("acme/tiny", "main", shas[0], 100, kNoStop);
  ASSERT_EQ(message_of(list), "ok");
  EXPECT_TRUE(list->met_known);
  EXPECT_EQ(list->commits.size(), 7U) << "a commit of the page before came again";

  hub->super_squash("acme/tiny");
  const auto squashed = client.commits("acme/tiny", "main", shas[7], 100, kNoStop);
  ASSERT_EQ(message_of(squashed), "ok");
  EXPECT_FALSE(squashed->met_known);
  EXPECT_TRUE(squashed->complete) << "rewritten: the end was reached without the known commit";
  EXPECT_EQ(squashed->commits.size(), 1U);
  EXPECT_EQ(kind_of(client.tree("acme/tiny", shas[7], kNoStop)), "no_revision");
}

// Pages are linked by absolute addresses that name the public Hub, whoever serves them; the cursor is opaque.
TEST(Trap11, AllPagesAreReadAndAtTheEndpoint) {
  TestHub hub;
  testhub::Files files;
  for (int i = 0; i < 25; ++i) files.emplace("part-" + std::to_string(100 + i) + ".txt", std::to_string(i));
  hub->create("acme/tiny", {.files = files});
  for (int i = 0; i < 9; ++i) hub->push("acme/tiny", {.files = {{"n", std::to_string(i)}}});
  hub->behaviour.public_base = "https://hub.invalid";
  hub->faults.arm({.times = -1, .page_size = 4});
  Client client = client_for(hub);
  const std::string sha = head_of(client, "acme/tiny");
  const auto tree = client.tree("acme/tiny", sha, kNoStop);
  ASSERT_EQ(message_of(tree), "ok");
  EXPECT_EQ(tree->size(), 27U);  // with .gitattributes and n
  const auto commits = client.commits("acme/tiny", sha, "", 1'000, kNoStop);
  ASSERT_EQ(message_of(commits), "ok");
  EXPECT_EQ(commits->commits.size(), 11U);
  EXPECT_TRUE(commits->complete);
  EXPECT_GE(hub.log().count({.path = "*/tree/*", .status = 200}), 7U);
  EXPECT_EQ(hub.log().count({.status = 400}), 0U) << "a cursor was not sent back byte for byte";
}

// A name moves, and another repository may take it.
TEST(Trap12, IdentityIsTheIdAndNotTheName) {
  TestHub hub;
  hub->create("acme/old", {.files = {{"config.json", "{}"}}});
  Client client = client_for(hub);
  const auto before = client.info("acme/old", "main", kNoStop).value();
  hub->rename("acme/old", "acme/new");
  const auto moved = client.info("acme/old", "main", kNoStop);
  ASSERT_EQ(message_of(moved), "ok");
  EXPECT_EQ(moved->hub_id, before.hub_id);
  EXPECT_EQ(moved->name, "acme/new");
  const auto head = client.head("acme/old", "main", kNoStop);
  ASSERT_EQ(message_of(head), "ok");
  EXPECT_EQ(head->renamed_to, "acme/new");
  EXPECT_EQ(head->sha, before.sha);
  hub->create("acme/old", {.files = {{"config.json", "{}"}}});
  const auto newcomer = client.info("acme/old", "main", kNoStop);
  ASSERT_EQ(message_of(newcomer), "ok");
  EXPECT_EQ(newcomer->name, "acme/old");
  EXPECT_NE(newcomer->hub_id, before.hub_id);
}

// Small files live in LFS, large ones in git; strangers see no sha256; nothing is asked for where there is nothing.
TEST(Trap13, EveryNameComesInBothForms) {
  TestHub hub;
  const std::string index = "{\"weight_map\": {\"" + std::string(3 << 20, 'x') + "\": \"a\"}}";
  hub->create("acme/gated", {.files = {{"tokenizer.model", {testhub::Content("sp"), true}}, {"model.safetensors.index.json", index},
                                       {"empty.safetensors", {testhub::Content(""), false}}},
                             .gate = Gate::automatic});
  hub->add_user({"ann", "hf_ann", testhub::Plan::free, {"acme"}});
  Client stranger = client_for(hub), owner = client_for(hub, "hf_ann");
  const std::string sha = head_of(stranger, "acme/gated");
  const auto masked = listed(stranger, "acme/gated", sha, "tokenizer.model");
  ASSERT_TRUE(masked.lfs);
  EXPECT_EQ(masked.lfs->sha256, "");
  EXPECT_EQ(masked.identity(), masked.oid);
  for (const char* path : {"tokenizer.model", "model.safetensors.index.json"}) {
    EXPECT_EQ(message_of(owner.file("acme/gated", sha, listed(owner, "acme/gated", sha, path), 8 << 20, kNoStop)), "ok") << path;
  }
  const auto before = hub.log().last();
  const auto empty = listed(owner, "acme/gated", sha, "empty.safetensors");
  const auto nothing = owner.file("acme/gated", sha, empty, 1 << 20, kNoStop);
  ASSERT_EQ(message_of(nothing), "ok");
  EXPECT_EQ(text_of(nothing), "");
  EXPECT_EQ(kind_of(owner.safetensors_header("acme/gated", sha, empty, kNoStop)), "malformed");
  EXPECT_EQ(hub.log().count({.path = "*/resolve/*", .after = before}), 0U);
}

// Errors are text or pages as often as JSON; the wait stands in RateLimit, where Retry-After is missing.
TEST(Trap14, ErrorsAreReadByStatusAndHeaders) {
  TestHub hub;
  hub->create("acme/tiny", {.files = {{"config.json", "{}"}}});
  hub->clock.set(std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()), 1);
  Client client = client_for(hub);
  const std::string sha = head_of(client, "acme/tiny");
  const auto missing = client.file("acme/tiny", sha, {"nope.txt", std::string(40, '0'), 3, {}}, 1 << 20, kNoStop);
  EXPECT_EQ(kind_of(missing), "no_entry");
  EXPECT_THAT(message_of(missing), testing::HasSubstr("Entry not found"));

  hub->behaviour.html_429 = true;
  hub->quotas.set_limit(testhub::Plan::anonymous, testhub::Bucket::api, 1);
  Client other = client_for(hub);
  const auto limited = other.info("acme/tiny", "main", kNoStop);
  ASSERT_EQ(kind_of(limited), "rate_limited");
  EXPECT_THAT(message_of(limited), testing::Not(testing::HasSubstr("<")));
  ASSERT_TRUE(limited.error().retry_at);
  const auto wait = *limited.error().retry_at - std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  EXPECT_GT(wait, std::chrono::seconds(240));
  EXPECT_LE(wait, std::chrono::seconds(306));
  EXPECT_EQ(kind_of(other.head("acme/tiny", "main", kNoStop)), "ok") << "the other bucket is not exhausted";
  hub->faults.arm({.times = -1, .status = 503, .body = "<html>down</html>"});
  const auto ill = other.head("acme/tiny", "main", kNoStop);
  EXPECT_EQ(kind_of(ill), "refused");
  EXPECT_THAT(message_of(ill), testing::HasSubstr("503"));
}

// What strangers typed or computed is checked before it is used.
TEST(Trap15, NothingIsAllocatedOnAStrangersWord) {
  TestHub hub;
  const auto announcing = [](std::uint64_t length) {
    std::string start;
    for (int i = 0; i < 8; ++i) start += static_cast<char>(length >> 8 * i & 255);
    return start + "{";
  };
  hub->create("acme/tiny", {.files = {{"huge.safetensors", testhub::Content::hollow(announcing(60'000'000), 100'000'000)},
                                      {"beyond.safetensors", testhub::Content::hollow(announcing(5'000'000), 1'000'000)},
                                      {"max.safetensors", testhub::Content::hollow(announcing(~0ULL), 1'000'000)}},
                            .gate = Gate::open});
  Client client = client_for(hub);
  const auto info = client.info("acme/tiny", "main", kNoStop);
  ASSERT_EQ(message_of(info), "ok");
  EXPECT_EQ(info->gated, "");
  EXPECT_FALSE(info->safetensors_total);
  for (const char* path : {"huge.safetensors", "beyond.safetensors", "max.safetensors"}) {
    EXPECT_EQ(kind_of(client.safetensors_header("acme/tiny", info->sha, listed(client, "acme/tiny", info->sha, path), kNoStop)), "malformed") << path;
  }
  EXPECT_EQ(hub.log().count({.listener = Listener::cdn}), 3U) << "one range each, no remainder";
}

}  // namespace
}  // namespace modelwatch::hub
