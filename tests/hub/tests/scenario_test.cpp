#include "tests/hub/scenario/scenario.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <future>

#include "estimator/json/reader.h"
#include "estimator/json/writer.h"
#include "tests/hub/control.h"
#include "tests/hub/git/safetensors.h"
#include "tests/hub/scenario/operations.h"
#include "tests/hub/scenario/weights.h"
#include "tests/hub/tests/fetch.h"

namespace modelwatch::testhub {
namespace {

const std::filesystem::path scenarios = std::filesystem::path(MODELWATCH_SOURCE_DIR) / "tests/hub/scenarios";

std::string file_text(World& world, const std::string& name, const std::string& path) {
  return std::string((*world.repository(name).head()->tree->find(path))->content.bytes());
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

TEST(Scenario, BeginsAndIsPlayedStepByStep) {
  World world;
  Player player(world, read_scenario(R"(
    title = "two"
    clock = { start = 2026-03-01T08:00:00Z, scale = 0.0 }
    [[user]]
    name = "ann"
    token = "hf_ann"
    organisations = ["acme"]
    [[repository]]
    name = "acme/m"
    date = 2026-02-01T00:00:00Z
    gated = "manual"
    [repository.files]
    "a.json" = '{"x": 1, "y": 2}'
    "w.safetensors" = { safetensors = { dtype = "F16", tensors = { "l.{0..2}.w" = [2, 2] } } }
    [[repository.push]]
    title = "Second"
    files = { "b.txt" = "b" }
    [[step]]
    name = "edit"
    after = 0.5
    push = "acme/m"
    files = { "a.json" = { edit = [["1", "3"]] }, "w.safetensors" = { reseed = 5 } }
    [[step]]
    [[step.do]]
    rename = "acme/m"
    to = "acme/n"
    [[step.do]]
    create = "acme/m"
  )",
                                     "."));
  EXPECT_EQ(player.scenario().title, "two");
  EXPECT_EQ(world.repository("acme/m").gate, Gate::manual);
  EXPECT_EQ(world.repository("acme/m").history(world.repository("acme/m").head()).size(), 3U);
  const Blob before = **world.repository("acme/m").head()->tree->find("w.safetensors");
  EXPECT_EQ(safetensors_header(before.content)->object()->size(), 4U);

  EXPECT_EQ(*player.next(world).find("step")->string(), "edit");
  EXPECT_EQ(file_text(world, "acme/m", "a.json"), R"({"x": 3, "y": 2})");
  const Blob after = **world.repository("acme/m").head()->tree->find("w.safetensors");
  EXPECT_EQ(after.content.size(), before.content.size());
  EXPECT_NE(after.oid, before.oid);
  EXPECT_EQ(world.repository("acme/m").head()->date,
            std::chrono::sys_days(std::chrono::March / 1 / 2026) + std::chrono::hours(8));

  player.next(world);
  EXPECT_TRUE(player.finished());
  EXPECT_NE(world.repository("acme/m").id, world.repository("acme/n").id);
  EXPECT_TRUE(player.next(world).is_null());
}

TEST(Scenario, MistakesAreNamed) {
  EXPECT_TRUE(message_of([] { read_scenario("title = ", "."); }).starts_with("line 1, column"));
  EXPECT_EQ(message_of([] { read_scenario("titel = 'x'", "."); }), "scenario: unknown key titel");
  World world;
  world.create("a/b", {.files = {{"f", "xx"}}});
  for (const auto& [operation, message] : std::map<std::string, std::string>{
           {R"({"push": "a/b", "fils": {}})", "push: unknown key fils"},
           {R"({"push": "a/c"})", "a/c: no such repository"},
           {R"({"push": "a/b", "remove": ["g"]})", "a/b: no file g to remove"},
           {R"({"push": "a/b", "files": {"f": {"edit": [["x", "y"]]}}})",
            "f: edit: does not occur exactly once: x"},
           {R"({"push": "a/b", "files": {"f": {"path": "/no/such/file"}}})",
            "/no/such/file: No such file or directory"},
           {R"({"set": "a/b", "gated": "perhaps"})", "'perhaps' is none of auto, manual"},
           {R"({"quota": "free", "bucket": "api"})", "quota: limit: a whole number is expected"},
           {R"({"fault": "*", "times": "two"})", "fault: times: a whole number is expected"},
           {R"({"force_push": "a/b", "to": "main~9"})", "a/b: no revision main~9"},
           {R"({"behaviour": {"gzipp": true}})", "behaviour: unknown key gzipp"},
           {R"({"nothing": 1})", "operation: no verb (push, create, rename, fault, …)"}}) {
    const json::Value value = json::read(operation)->value;
    try {
      do_operation(world, value, ".");
      ADD_FAILURE() << operation;
    } catch (const std::exception& error) {
      EXPECT_EQ(error.what(), message);
    }
  }
  EXPECT_EQ(world.repository("a/b").history(world.repository("a/b").head()).size(), 2U);
}

/// 1,235,814,400 parameters: the published count of the 1B model of that configuration.
TEST(Scenario, WeightsFollowTheConfig) {
  const auto config = json::read(
      R"({"model_type": "llama", "hidden_size": 2048, "intermediate_size": 8192, "num_hidden_layers": 16,
    "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 64, "vocab_size": 128256, "tie_word_embeddings": true, "torch_dtype": "bfloat16"})");
  const std::vector<Tensor> tensors = decoder_tensors(config->value);
  std::uint64_t count = 0;
  for (const Tensor& tensor : tensors) {
    std::uint64_t elements = 1;
    for (const std::uint64_t dimension : tensor.shape) elements *= dimension;
    count += elements;
  }
  EXPECT_EQ(count, 1'235'814'400U);
  EXPECT_EQ(shard_of(tensors, 1, 3).size() + shard_of(tensors, 2, 3).size() + shard_of(tensors, 3, 3).size(),
            tensors.size());
  EXPECT_FALSE(shard_of(tensors, 2, 3).empty());
  EXPECT_EQ(json::read(shard_index(tensors, 3))->value.find("weight_map")->object()->size(), tensors.size());
}

TEST(Scenario, TheDemoPlaysToItsEnd) {
  World world;
  Player player(world, load_scenario(scenarios / "demo.toml"));
  EXPECT_EQ(world.size(), 8U);
  EXPECT_EQ(player.scenario().steps.size(), 8U);
  while (!player.finished()) player.next(world);
  const std::string index = file_text(world, "lumen/Lumen-70B", "model.safetensors.index.json");
  EXPECT_EQ(*json::at_pointer(json::read(index)->value, "/metadata/total_size")->integer(), 136'913'633'280);
}

class ControlPort : public ::testing::Test {
 protected:
  json::Value call(const std::string& method, const std::string& path, const std::string& body = {},
                   int status = 200) {
    const Fetched got =
        fetch(control.url() + path, {.method = method, .headers = {"content-type: " + type}, .body = body});
    EXPECT_EQ(got.status, status) << got.body;
    auto read = json::read(got.body);
    return read ? read->value : json::Value();
  }

  TestHub hub;
  Control control{hub, "127.0.0.1", 0};
  std::string type = "application/json";
};

TEST_F(ControlPort, LoadsAndPlays) {
  type = "application/toml";
  const json::Value loaded =
      call("POST", "/scenario",
           "[[repository]]\nname = 'a/b'\n[[step]]\nname = 's'\npush = 'a/b'\nfiles = {'f' = 'x'}\n");
  EXPECT_EQ(*loaded.find("steps")->integer(), 1);
  EXPECT_EQ(*json::at_pointer(call("GET", "/steps"), "/0/played")->boolean(), false);
  const json::Value played = call("POST", "/steps/next");
  EXPECT_EQ(*json::at_pointer(played, "/results/0/sha")->string(), hub->repository("a/b").head()->id);
  EXPECT_TRUE(call("POST", "/steps/next").is_null());
  type = "application/json";
  EXPECT_EQ(*call("POST", "/scenario", R"({"path": ")" + (scenarios / "demo.toml").string() + R"("})")
                 .find("repositories")
                 ->integer(),
            9);
}

TEST_F(ControlPort, PlaysByTime) {
  std::promise<std::string> name;
  control.on_step = [&](const json::Value& result) { name.set_value(*result.find("step")->string()); };
  control.load(read_scenario("[[step]]\nname = 'soon'\nafter = 1\ncreate = 'a/b'\n", "."));
  call("POST", "/steps/play", R"({"speed": 1000})");
  auto future = name.get_future();
  ASSERT_EQ(future.wait_for(std::chrono::seconds(10)), std::future_status::ready);
  EXPECT_EQ(future.get(), "soon");
  EXPECT_TRUE(hub->find("a/b"));
}

TEST_F(ControlPort, OperationsAndTheLog) {
  const json::Value results = call(
      "POST", "/operations",
      R"([{"create": "a/b"}, {"push": "a/b", "files": {"f": "x"}}, {"fault": "/api/*", "status": 500}])");
  EXPECT_EQ(results.array()->size(), 3U);
  EXPECT_EQ(
      fetch(hub.url() + "/api/models/a/b", {.headers = {"Authorization: Bearer x", "X-Mine: 1"}}).status,
      500);
  const json::Value log = call("GET", "/log?status=500&path=/api/models/*&listener=hub");
  EXPECT_EQ(log.array()->size(), 1U);
  EXPECT_EQ(json::at_pointer(log, "/0/authorization")->boolean(), true);
  EXPECT_EQ(*json::at_pointer(log, "/0/headers/x-mine")->string(), "1");
  EXPECT_EQ(json::at_pointer(log, "/0/headers/authorization"), nullptr);
  call("DELETE", "/log");
  EXPECT_TRUE(call("GET", "/log").array()->empty());
  EXPECT_EQ(*call("POST", "/operations", R"({"push": "a/none"})", 400).find("error")->string(),
            "a/none: no such repository");
  call("GET", "/nothing", {}, 404);
}

TEST_F(ControlPort, AQuestionToEnd) {
  bool asked = false;
  control.on_quit = [&] { asked = true; };
  call("POST", "/quit");
  EXPECT_TRUE(asked);
}

}  // namespace
}  // namespace modelwatch::testhub
