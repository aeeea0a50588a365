// The test hub's answers beside those recorded from the real Hub: status, JSON keys and the headers a client
// can depend on. Needs ../shared/data/hub-samples; skipped where it is absent.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "estimator/json/reader.h"
#include "tests/hub/git/digest.h"
#include "tests/hub/git/safetensors.h"
#include "tests/hub/test_hub.h"
#include "tests/hub/tests/fetch.h"

namespace modelwatch::testhub {
namespace {

const std::filesystem::path folder =
    std::filesystem::path(MODELWATCH_SOURCE_DIR) / "../shared/data/hub-samples";

struct Row {
  std::string sample;
  std::function<void(TestHub&)> prepare = {};        ///< beside the common world
  std::function<std::string(TestHub&)> target = {};  ///< where the sample's own path cannot be used
  std::string cdn_range = {};                        ///< for requests to the CDN
};

std::ostream& operator<<(std::ostream& out, const Row& row) {
  return out << row.sample;
}

// What the Hub itself may leave out, or fills with data of its own (hub-api.md §3, §6).
bool optional_key(const std::string& pattern) {
  static const std::set<std::string> names = {"/gguf", "/jFrogScan", "/reportLink", "/message",
                                              "/pickleImports"};
  for (const std::string& name : names)
    if (pattern.find(name) != std::string::npos && !pattern.ends_with("/*/message")) return true;
  return false;
}

std::string kind(const json::Value& value) {
  if (value.is_null()) return "null";
  if (value.is_bool()) return "bool";
  if (value.is_number()) return "number";
  if (value.is_string()) return "string";
  return value.is_array() ? "array" : "object";
}

/// Pointer patterns, list places written '*', and the kinds found there.
void collect(const json::Value& value, const std::string& at,
             std::map<std::string, std::set<std::string>>& kinds) {
  kinds[at].insert(kind(value));
  if (value.object())
    for (const auto& [key, member] : *value.object()) collect(member, at + "/" + key, kinds);
  if (value.array())
    for (const json::Value& item : *value.array()) collect(item, at + "/*", kinds);
}

void expect_same_keys(const json::Value& sample, const json::Value& ours) {
  std::map<std::string, std::set<std::string>> wanted, found;
  collect(sample, "", wanted);
  collect(ours, "", found);
  for (const auto& [pattern, kinds] : wanted) {
    if (optional_key(pattern)) continue;
    ASSERT_TRUE(found.contains(pattern)) << "no " << pattern;
    EXPECT_EQ(*found.at(pattern).begin(), *kinds.begin()) << pattern;
  }
}

void expect_same_key_order(const json::Value& sample, const json::Value& ours) {
  const json::Object* wanted =
      sample.array() && !sample.array()->empty() ? sample.array()->front().object() : sample.object();
  const json::Object* found =
      ours.array() && !ours.array()->empty() ? ours.array()->front().object() : ours.object();
  if (!wanted || !found) return;
  std::vector<std::string> order, expected;
  for (const auto& [key, ignored] : *found)
    if (wanted->find(key)) order.push_back(key);
  for (const auto& [key, ignored] : *wanted)
    if (found->find(key)) expected.push_back(key);
  EXPECT_EQ(order, expected);
}

const std::set<std::string> equal_headers = {"content-type",
                                             "x-error-code",
                                             "x-error-message",
                                             "www-authenticate",
                                             "accept-ranges",
                                             "cache-control",
                                             "content-disposition",
                                             "access-control-allow-origin",
                                             "access-control-expose-headers"};

std::string without_numbers(const std::string& text) {
  return std::regex_replace(text, std::regex("=[0-9]+"), "=#");
}

void expect_same_headers(const json::Object& sample, const Fetched& ours, bool composed_message) {
  for (const auto& [name, value] : sample) {
    const std::string* found = ours.headers.find(name);
    if (name == "content-length" && ours.headers.value("transfer-encoding") == "chunked") continue;
    ASSERT_TRUE(found) << "no header " << name;
    if (equal_headers.contains(name) && !(composed_message && name == "x-error-message")) {
      EXPECT_EQ(*found, *value.string()) << name;
    }
    if (name.starts_with("ratelimit")) {
      EXPECT_EQ(without_numbers(*found), without_numbers(*value.string())) << name;
    }
  }
}

void make_world(TestHub& hub) {
  const auto world = hub.lock();
  world->behaviour.public_base = "https://huggingface.co";
  world->add_user({"reader", "hf_xxx"});
  const std::string card =
      "---\nlanguage: en\ntags:\n- exbert\nlicense: mit\nwidget:\n- text: Once upon a time,\n---\n# gpt2\n";
  Files files = {{"README.md", card},
                 {"config.json", R"({"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2"})"},
                 {"onnx/config.json", "{}"},
                 {"pytorch_model.bin", "PK-ish bytes"},
                 {"data.pkl", "pickle bytes"},
                 {"model.safetensors", safetensors_file({{"h", "F32", {4, 4}}})}};
  world->create("openai-community/gpt2", {.files = files});
  world->repository("openai-community/gpt2").spaces = {"example-org/example-space"};
  world->redirect("gpt2", "openai-community/gpt2");
  world->push("openai-community/gpt2", {.files = {{"vocab.txt", "a\nb\n"}},
                                        .title = "Add note (#18)",
                                        .message = "\n\n\nCo-authored-by: User D <user-d@users.example>\n"});
  for (int i = 0; i < 3; ++i) world->push("openai-community/gpt2", {.files = {{"n.txt", std::to_string(i)}}});
  world->tag("openai-community/gpt2", "v1.0");
  world->repository("openai-community/gpt2").move_ref("refs/heads/fp16", "main");
  world->repository("openai-community/gpt2").move_ref("refs/convert/parquet", "main");
  world->open_pull_request("openai-community/gpt2", {.files = {{"LICENSE", "MIT\n"}}});
  world->create("example-user/gpt2", {.files = files});
  world->create("google-bert/bert-base-uncased", {.files = files});
  world->create("stable-diffusion-v1-5/old", {.files = {{"README.md", "# sd\n"}}});
  world->rename("stable-diffusion-v1-5/old", "stable-diffusion-v1-5/stable-diffusion-v1-5");
  world->redirect("runwayml/stable-diffusion-v1-5", "stable-diffusion-v1-5/stable-diffusion-v1-5");
  world->create("OwnerOfTheGatedModel/tiny-gated-model",
                {.files = {{"README.md", "---\nlicense: mit\n---\n"},
                           {"checkpoint-0/config.json", "{}"},
                           {"checkpoint-0/generation_config.json", "{}"},
                           {"checkpoint-0/model.safetensors", safetensors_file({{"w", "F32", {8}}})}},
                 .gate = Gate::manual});
  world->create("meta-llama/Llama-3.1-8B", {.gate = Gate::manual});
  const Files llm = {{"assets/a.txt", "a"},
                     {"config.json", "{}"},
                     {"model.safetensors", safetensors_file({{"w", "BF16", {8}}})}};
  world->create("example-org/vl-moe-35b", {.files = llm});
  for (const char* name : {"example-org/model-a", "example-org/model-b", "example-org/model-c"})
    world->create(name, {.files = llm});
  world->super_squash("example-org/model-a");
  world->create("ggml-org/gemma-3-1b-it-GGUF",
                {.files = {{"README.md", "---\nlicense: gemma\nbase_model:\n- google/gemma-3-1b-it\n---\n"},
                           {"a.gguf", "GGUF"}}});
  Repository& disabled = world->create("example-user/gpt-4chan", {.files = files, .gate = Gate::automatic});
  disabled.disabled = true;
}

std::string at_head(TestHub& hub, const std::string& name, const std::string& before,
                    const std::string& after) {
  return before + hub->repository(name).head()->id + after;
}

std::string bert_tree(TestHub& hub, const std::string& query) {
  return at_head(hub, "google-bert/bert-base-uncased", "/api/models/google-bert/bert-base-uncased/tree/",
                 query);
}

std::string cached_config(TestHub& hub) {
  return at_head(hub, "openai-community/gpt2", "/api/resolve-cache/models/openai-community/gpt2/",
                 "/config.json?x=");
}

void grant(TestHub& hub) {
  hub->set_access("OwnerOfTheGatedModel/tiny-gated-model", "reader", Access::granted);
}
void ask(TestHub& hub) {
  hub->set_access("OwnerOfTheGatedModel/tiny-gated-model", "reader", Access::pending);
}
void exhaust(TestHub& hub) {
  for (const Plan plan : {Plan::anonymous, Plan::free})
    for (const Bucket bucket : {Bucket::api, Bucket::pages}) hub->quotas.set_limit(plan, bucket, 0);
}

/// A signed URL of the weights, fetched with `range` where it is to be pinned.
std::string signed_url(TestHub& hub, const std::string& range = {}) {
  FetchOptions options;
  if (!range.empty()) options.headers.push_back("range: " + range);
  return fetch(hub.url() + "/openai-community/gpt2/resolve/main/model.safetensors", options)
      .headers.value("location");
}

std::vector<Row> rows() {
  std::vector<Row> list;
  for (const char* name : {"model-info-gated",
                           "model-info-gguf",
                           "model-info-gpt2",
                           "model-info-blobs-gpt2",
                           "model-info-expand-gated",
                           "model-info-expand-poll",
                           "model-info-expand-invalid-400",
                           "model-info-disabled-expand",
                           "model-info-legacy-307",
                           "model-info-missing-anon-401",
                           "model-info-missing-authed-404",
                           "model-info-renamed-307",
                           "model-info-bad-revision-404",
                           "model-info-security",
                           "models-by-author-poll",
                           "commits-after-squash",
                           "commits-bad-revision-404",
                           "commits-duplicated-repo",
                           "commits-gated-anon-401",
                           "commits-gpt2-limit1",
                           "commits-gpt2-page",
                           "refs",
                           "refs-include-prs",
                           "tree-root",
                           "tree-page1",
                           "tree-sharded-moe",
                           "tree-subdir-gated-masked",
                           "tree-missing-path-404",
                           "tree-expand-security",
                           "paths-info",
                           "resolve-small-307",
                           "resolve-lfs-302",
                           "resolve-lfs-ranged-302",
                           "resolve-entry-not-found-404",
                           "resolve-bad-revision-404",
                           "resolve-missing-repo-anon-401",
                           "resolve-gated-anon-401",
                           "resolve-gated-not-asked-403",
                           "resolve-gated-readme-anon-200",
                           "resolve-disabled-403"})
    list.push_back({name});
  list.push_back(
      {"tree-at-commit", {}, [](TestHub& hub) { return bert_tree(hub, "?recursive=false&expand=false"); }});
  list.push_back({"tree-expand-lastcommit", {}, [](TestHub& hub) {
                    return bert_tree(hub, "?recursive=false&expand=true");
                  }});
  list.push_back({"tree-subdir-open", grant});
  list.push_back({"resolve-small-direct-200", grant});
  list.push_back({"resolve-gated-pending-403", ask});
  list.push_back({"resolve-cache-200", {}, cached_config});
  list.push_back({"resolve-cache-304",
                  [](TestHub& hub) {
                    hub->push("openai-community/gpt2", {.files = {{"config.json", "{}"}}});
                  },
                  cached_config});
  list.push_back({"cdn-range-206", {}, [](TestHub& hub) { return signed_url(hub); }, "bytes=0-99"});
  list.push_back({"cdn-range-416", {}, [](TestHub& hub) { return signed_url(hub); }, "bytes=548105171-"});
  list.push_back({"cdn-huge-unranged-400",
                  [](TestHub& hub) {
                    hub->push("openai-community/gpt2",
                              {.files = {{"model.safetensors", Content::hollow("", 49'000'000'000)}}});
                  },
                  [](TestHub& hub) { return signed_url(hub); }});
  list.push_back({"cdn-range-pinned-403",
                  {},
                  [](TestHub& hub) { return signed_url(hub, "bytes=0-7"); },
                  "bytes=8-1023"});
  list.push_back({"cdn-expired-403", {}, [](TestHub& hub) {
                    const std::string url = signed_url(hub);
                    hub->clock.advance(std::chrono::hours(2));
                    return url;
                  }});
  list.push_back({"error-429-anon-api", exhaust});
  list.push_back({"error-429-authed-api", exhaust});
  list.push_back({"error-429-html", exhaust});
  list.push_back({"error-429-edge", [](TestHub& hub) {
                    hub->faults.arm({.status = 429,
                                     .body = "<h1>429</h1>",
                                     .set_headers = {{"content-type", "text/html; charset=utf-8"}},
                                     .drop_headers = {"ratelimit", "ratelimit-policy"}});
                  }});
  list.push_back({"error-429-retry-after", [](TestHub& hub) {
                    hub->faults.arm(
                        {.status = 429, .body = "Too Many Requests", .set_headers = {{"retry-after", "30"}}});
                  }});
  list.push_back({"error-500-api", [](TestHub& hub) { hub->faults.arm({.status = 500}); }});
  list.push_back({"error-503", [](TestHub& hub) {
                    hub->faults.arm({.status = 503, .set_headers = {{"content-type", "text/html"}}});
                  }});
  return list;
}

json::Value load(const std::string& name) {
  std::ifstream in(folder / (name + ".json"));
  std::ostringstream text;
  text << in.rdbuf();
  auto read = json::read(text.str());
  return read ? read->value : json::Value();
}

class Samples : public ::testing::TestWithParam<Row> {};

FetchOptions request_of(const json::Value& sample, const Row& row, TestHub& hub) {
  FetchOptions options;
  options.method = *json::at_pointer(sample, "/request/method")->string();
  if (const json::Value* headers = json::at_pointer(sample, "/request/headers"))
    for (const auto& [name, value] : *headers->object()) {
      if (name == "if-none-match") {
        options.headers.push_back(
            name + ": \"" +
            (*hub->repository("openai-community/gpt2").head()->tree->find("config.json"))->oid + "\"");
      } else if (name != "range" || row.cdn_range.empty()) {
        options.headers.push_back(name + ": " + *value.string());
      }
    }
  if (!row.cdn_range.empty()) options.headers.push_back("range: " + row.cdn_range);
  if (options.method == "POST")
    options.body = R"({"paths":["config.json","model.safetensors","does-not-exist.txt"],"expand":false})";
  return options;
}

TEST_P(Samples, SameStatusKeysAndHeaders) {
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no recorded answers: " << folder << " is absent";
  const Row& row = GetParam();
  const json::Value sample = load(row.sample);
  ASSERT_TRUE(sample.find("response")) << row.sample;
  TestHub hub;
  make_world(hub);
  if (row.prepare) row.prepare(hub);
  const std::string target =
      row.target ? row.target(hub) : *json::at_pointer(sample, "/request/path")->string();
  // a sample's '[]' stands for itself: libcurl sends it as it is
  const Fetched ours =
      fetch(target.starts_with("http") ? target : hub.url() + target, request_of(sample, row, hub));

  ASSERT_EQ(ours.failure, "");
  EXPECT_EQ(ours.status, *json::at_pointer(sample, "/response/status")->integer());
  const bool wording_unknown = row.sample == "model-info-expand-invalid-400";
  expect_same_headers(*json::at_pointer(sample, "/response/headers")->object(), ours, wording_unknown);
  if (const json::Value* body = json::at_pointer(sample, "/response/body")) {
    const auto read = json::read(ours.body);
    ASSERT_TRUE(read) << ours.body;
    expect_same_keys(*body, read->value);
    expect_same_key_order(*body, read->value);
  }
  if (const std::string etag = ours.headers.value("etag");
      etag.starts_with("W/") && ours.status != 304 && !ours.body.empty()) {
    EXPECT_EQ(etag, weak_etag(ours.body));
  }
}

INSTANTIATE_TEST_SUITE_P(Hub, Samples, ::testing::ValuesIn(rows()), [](const auto& test_info) {
  std::string name = test_info.param.sample;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

/// Every sample of the reference is held, save those that are no answers of the Hub's read side.
TEST(Samples, NoneIsForgotten) {
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no recorded answers: " << folder << " is absent";
  std::set<std::string> held;
  for (const Row& row : rows()) held.insert(row.sample);
  for (const char* other : {"webhook-repo-content", "webhook-repo-move", "safetensors-index",
                            "safetensors-tiny"})
    held.insert(other);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    EXPECT_TRUE(held.contains(entry.path().stem().string())) << entry.path();
  }
}

}  // namespace
}  // namespace modelwatch::testhub
