// The recorded answers, where they lie beside the source: each is replayed to the client by a transport that holds it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "daemon/hub/quota.h"
#include "tests/daemon/hub/fake_transport.h"
#include "tests/daemon/hub/outcome.h"

namespace modelwatch::hub {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path kSamples = fs::path(MODELWATCH_SOURCE_DIR) / ".." / "shared" / "data" / "hub-samples";
const std::stop_token kNoStop;
const std::string kSha(40, 'a');

Response recorded(const std::string& name) {
  std::ifstream in(kSamples / (name + ".json"));
  const json sample = json::parse(in);
  Response response;
  if (!sample.contains("response")) return response;
  const json& answer = sample["response"];
  response.status = answer.at("status").get<int>();
  for (const auto& [key, value] : answer.at("headers").items()) response.headers.emplace_back(key, value.get<std::string>());
  if (answer.contains("body")) response.body = answer["body"].dump();
  if (answer.contains("body_text")) response.body = answer["body_text"].get<std::string>();
  return response;
}

struct Samples : testing::Test {
  std::shared_ptr<Wire> wire = std::make_shared<Wire>();

  void SetUp() override {
    if (!fs::exists(kSamples)) GTEST_SKIP() << "no recorded answers at " << kSamples;
  }
  /// A client that gets this one answer, whatever it asks.
  Client answered(const std::string& sample, const std::string& token = {}) {
    wire = std::make_shared<Wire>();
    wire->answer = [response = recorded(sample)](const Request&) mutable {
      std::erase_if(response.headers, [](const auto& header) { return header.first == "link" && header.second.find("rel=\"next\"") != std::string::npos; });
      return response;
    };
    ClientOptions options;
    options.token = token;
    options.retry_pause = std::chrono::milliseconds(1);
    return Client(options, std::make_unique<FakeTransport>(wire));
  }
};

TEST_F(Samples, Infos) {
  for (const char* sample : {"model-info-gated", "model-info-gpt2", "model-info-blobs-gpt2", "model-info-gguf", "model-info-security"}) {
    const auto info = answered(sample).info("a/b", "main", kNoStop);
    ASSERT_EQ(message_of(info), "ok") << sample;
    EXPECT_EQ(info->hub_id.size(), 24U) << sample;
  }
  EXPECT_EQ(answered("model-info-gpt2").info("a/b", "main", kNoStop).value().license, "mit");
  EXPECT_EQ(answered("model-info-gpt2").info("a/b", "main", kNoStop).value().safetensors_total, 137022720);
  EXPECT_TRUE(answered("model-info-disabled-expand").info("a/b", "main", kNoStop).value().disabled);
  EXPECT_EQ(answered("model-info-disabled-expand").info("a/b", "main", kNoStop).value().gated, "auto");
  EXPECT_EQ(answered("model-info-gated").info("a/b", "main", kNoStop).value().gated, "manual");
}

TEST_F(Samples, Errors) {
  const std::pair<const char*, const char*> rows[] = {
      {"model-info-missing-anon-401", "missing"}, {"model-info-missing-authed-404", "missing"}, {"model-info-bad-revision-404", "no_revision"},
      {"commits-gated-anon-401", "gated"},        {"commits-bad-revision-404", "no_revision"},  {"tree-missing-path-404", "no_entry"},
      {"resolve-disabled-403", "disabled"},       {"resolve-entry-not-found-404", "no_entry"},  {"resolve-gated-anon-401", "gated"},
      {"resolve-gated-not-asked-403", "gated"},   {"resolve-gated-pending-403", "gated"},       {"resolve-missing-repo-anon-401", "missing"},
      {"resolve-bad-revision-404", "no_revision"}, {"error-429-anon-api", "rate_limited"},      {"error-429-authed-api", "rate_limited"},
      {"error-429-edge", "rate_limited"},         {"error-429-html", "rate_limited"},           {"error-429-retry-after", "rate_limited"},
      {"error-500-api", "refused"},               {"error-503", "refused"},                     {"model-info-expand-invalid-400", "refused"},
  };
  for (const auto& [sample, kind] : rows) {
    const auto info = answered(sample).info("a/b", "main", kNoStop);
    EXPECT_EQ(kind_of(info), kind) << sample << ": " << message_of(info);
    EXPECT_LT(message_of(info).size(), 400U) << sample;
  }
}

TEST_F(Samples, Heads) {
  for (const char* sample : {"resolve-small-307", "resolve-cache-200", "resolve-small-direct-200", "resolve-lfs-302", "resolve-entry-not-found-404",
                             "resolve-gated-readme-anon-200", "resolve-lfs-ranged-302"}) {
    const auto head = answered(sample).head("a/b", "main", kNoStop);
    ASSERT_EQ(message_of(head), "ok") << sample;
    EXPECT_EQ(head->sha.size(), 40U) << sample;
    EXPECT_EQ(wire->asked.size(), 1U) << sample;
  }
}

TEST_F(Samples, TreesCommitsRefsAndLists) {
  for (const char* sample : {"tree-root", "tree-subdir-open", "tree-subdir-gated-masked", "tree-sharded-moe", "tree-at-commit", "tree-page1",
                             "tree-expand-lastcommit", "tree-expand-security", "paths-info"}) {
    const auto tree = answered(sample).tree("a/b", kSha, kNoStop);
    ASSERT_EQ(message_of(tree), "ok") << sample;
    EXPECT_GT(tree->size(), 0U) << sample;
  }
  const auto masked = answered("tree-subdir-gated-masked").tree("a/b", kSha, kNoStop);
  EXPECT_EQ(masked->find("checkpoint-0/model.safetensors")->lfs->sha256, "");
  const auto page = answered("commits-gpt2-page").commits("a/b", "main", "", 100, kNoStop);
  ASSERT_EQ(message_of(page), "ok");
  EXPECT_EQ(page->commits.size(), 4U);
  EXPECT_FALSE(page->complete) << "4 of 26 by X-Total-Count";
  EXPECT_EQ(page->commits[3].authors.size(), 2U);
  EXPECT_TRUE(answered("commits-after-squash").commits("a/b", "main", kSha, 100, kNoStop).value().complete);
  EXPECT_GT(answered("commits-duplicated-repo").commits("a/b", "main", "", 100, kNoStop).value().commits.size(), 0U);
  EXPECT_GT(answered("refs").refs("a/b", kNoStop).value().size(), 0U);
  const auto refs = answered("refs-include-prs").refs("a/b", kNoStop);
  ASSERT_EQ(message_of(refs), "ok");
  for (const Ref& ref : *refs) EXPECT_FALSE(ref.ref.starts_with("refs/pr/"));
  EXPECT_EQ(answered("models-by-author-poll").list("example-org", "", 10, kNoStop).value().repositories.size(), 2U);
}

TEST_F(Samples, QuotasOfEveryAnswer) {
  int told = 0;
  for (const auto& entry : fs::directory_iterator(kSamples)) {
    const Response response = recorded(entry.path().stem());
    if (!response.header("ratelimit")) continue;
    ++told;
    const auto quotas = read_quotas(response, Time{});
    ASSERT_EQ(quotas.size(), 1U) << entry.path();
    EXPECT_GT(quotas[0].second.limit, 0) << entry.path();
  }
  EXPECT_GT(told, 30);
}

}  // namespace
}  // namespace modelwatch::hub
