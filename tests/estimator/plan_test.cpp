#include "estimator/plan.h"

#include <gmock/gmock.h>

#include "estimator/json/reader.h"
#include "estimator/json/writer.h"

namespace modelwatch::estimator {
namespace {

json::Value read(std::string_view text) { return json::read(text)->value; }

Plan planned(std::string_view text, PlanOptions options = {}) {
  auto result = plan(read(text), options);
  EXPECT_TRUE(result) << text << ": " << result.error().message;
  return result ? *result : Plan();
}

std::string refusal(std::string_view text) {
  auto result = plan(read(text));
  return result ? "accepted" : result.error().message;
}

constexpr std::string_view kSmallLlama = R"({"model_type":"llama","architectures":["LlamaForCausalLM"],"hidden_size":64,
  "num_hidden_layers":3,"num_attention_heads":4,"num_key_value_heads":2,"intermediate_size":160,"vocab_size":1000})";

TEST(Plan, CountsALlama) {
  const Plan p = planned(kSmallLlama);
  const std::int64_t layer = 64 * 64 * 2 + 64 * 32 * 2 + 3 * 64 * 160 + 2 * 64;
  EXPECT_TRUE(p.facts.known);
  EXPECT_EQ(p.parameters.derived.value(), 3 * layer + 2 * 1000 * 64 + 64);
  EXPECT_EQ(p.parameters.embedding.value(), 64'000);
  EXPECT_EQ(p.memory->serve.kv_per_token[0].value(), 3 * 2 * 2 * 16 * 2);
}

TEST(Plan, ReadsSynonymsOfOtherModelTypes) {
  const Plan p = planned(R"({"model_type":"gpt2","n_embd":64,"n_layer":2,"n_head":4,"vocab_size":100,"n_positions":32})");
  const std::int64_t layer = 12 * 64 * 64 + 13 * 64;
  EXPECT_EQ(p.parameters.derived.value(), 2 * layer + 100 * 64 + 32 * 64 + 2 * 64);
}

TEST(Plan, ATypeWithoutAFamilyIsUnknownAndHasNoNumber) {
  const json::Value document = to_json(planned(R"({"model_type":"no_such_model","hidden_size":8})"));
  EXPECT_EQ(*json::at_pointer(document, "/model/known"), json::Value(false));
  EXPECT_TRUE(json::at_pointer(document, "/parameters/derived")->is_null());
  EXPECT_EQ(*json::at_pointer(document, "/model/notes/0/id"), json::Value("unknown-family"));
}

TEST(Plan, DocumentHasEveryBlockOfTheContract) {
  const json::Value document = to_json(planned(kSmallLlama));
  EXPECT_EQ(*document.find("schema"), json::Value("modelwatch/plan/1"));
  for (const char* key : {"model", "parameters", "tensors", "nodes", "memory", "cards", "sharded", "headline", "cost", "verifier",
                          "assumptions"})
    EXPECT_NE(document.find(key), nullptr) << key;
}

TEST(Plan, ListsTensorsByTheirPublishedNames) {
  PlanOptions options;
  options.list_tensors = true;
  const json::Value document = to_json(planned(kSmallLlama, options));
  const json::Array& list = *json::at_pointer(document, "/tensors/list")->array();
  EXPECT_EQ(list.size(), 3 * 9 + 3u);
  EXPECT_EQ(json::write(list[0]), R"(["model.embed_tokens.weight",[1000,64]])");
  EXPECT_EQ(json::write(list[2]), R"(["model.layers.0.self_attn.q_proj.weight",[64,64]])");
}

struct Refused {
  std::string_view change;
  std::string_view reason;
};

TEST(Plan, AnAbsurdSizeIsAnErrorThatNamesItsKey) {
  const Refused cases[] = {
      {R"("num_attention_heads":0)", "/num_attention_heads: must be at least 1, is 0"},
      {R"("hidden_size":-64)", "/hidden_size: must be at least 1, is -64"},
      {R"("hidden_size":"64")", "/hidden_size: must be an integer, is \"64\""},
      {R"("hidden_size":64.5)", "/hidden_size: must be an integer, is 64.5"},
      {R"("vocab_size":9223372036854775808)", "/vocab_size: is too large: 9223372036854775808"},
      {R"("vocab_size":4611686018427387904)", "/vocab_size: makes sizes that do not fit into 64 bits"},
      {R"("intermediate_size":NaN)", "/intermediate_size: must be an integer, is NaN"},
      {R"("num_hidden_layers":1000000000)", "/num_hidden_layers: more than 100000 layers"},
      {R"("attention_bias":"yes")", "/attention_bias: must be true or false, is \"yes\""},
  };
  for (const Refused& c : cases) {
    json::Value config = read(kSmallLlama);
    const json::Value change = read("{" + std::string(c.change) + "}");
    for (const auto& [key, value] : *change.object()) config.object()->set(key, value);
    EXPECT_EQ(refusal(json::write(config)), c.reason);
  }
  EXPECT_EQ(refusal("[]"), "the document: a configuration is an object");
}

TEST(Plan, AMillionExpertsAreANumber) {
  const Plan p = planned(R"({"model_type":"qwen3_moe","hidden_size":64,"num_hidden_layers":5000,"num_attention_heads":4,
    "num_key_value_heads":2,"head_dim":16,"moe_intermediate_size":32,"num_experts":1000000,"num_experts_per_tok":8,"vocab_size":100})");
  EXPECT_EQ(p.parameters.by_kind.at("moe").value(), 5000LL * 1'000'000 * (3 * 64 * 32 + 64));
  EXPECT_LT(p.parameters.active.value(), 5000LL * (1'000'000 * 64 + 200'000));
}

TEST(Plan, MoreTensorsThanAnyoneReadsAreNotListed) {
  PlanOptions options;
  options.list_tensors = true;
  const auto result = plan(read(R"({"model_type":"qwen3_moe","hidden_size":64,"num_hidden_layers":5000,"num_attention_heads":4,
    "num_key_value_heads":2,"head_dim":16,"moe_intermediate_size":32,"num_experts":1000000,"num_experts_per_tok":8,"vocab_size":100})"),
                           options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "--tensors: 15000045003 tensors are too many to list");
}

TEST(Plan, SaysWhatMoves) {
  const Plan before = planned(kSmallLlama);
  json::Value config = read(kSmallLlama);
  config.object()->set("num_key_value_heads", 4);
  const PlanDelta delta = plan_delta(before, planned(json::write(config)));
  EXPECT_THAT(delta.moved, testing::IsSupersetOf({"parameters", "kv_per_token", "weights_bytes"}));
  EXPECT_TRUE(plan_delta(before, before).moved.empty());
}

TEST(Plan, OptionsOutOfRangeAreNamed) {
  PlanOptions options;
  options.batch = 0;
  const auto result = plan(read(kSmallLlama), options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::usage);
  EXPECT_EQ(result.error().message, "--batch: must be at least 1, is 0");
}

/// 4 layers of a 4,096-wide llama, batch 1 × 512: the example of docs/estimator.md, traced on the real class.
TEST(Training, ATracedStepIsMetWithinAMegabyte) {
  PlanOptions options;
  options.tokens = 512;
  options.optimizer = Optimizer::adamw_foreach;
  const Plan p = planned(R"({"model_type":"llama","hidden_size":4096,"num_hidden_layers":4,"num_attention_heads":32,
    "num_key_value_heads":4,"intermediate_size":11008,"vocab_size":64000,"tie_word_embeddings":false})", options);
  const Training& full = p.memory->full;
  EXPECT_EQ(full.phase, Phase::optimizer);
  EXPECT_NEAR(full.peak().real(), 24'327'701'148.0, 1e6);
  EXPECT_NEAR(full.forward.total().real(), 17'159'625'484.0, 2e5);
  EXPECT_EQ(p.memory->lora.adapter_parameters.value(), 4'538'368);
  EXPECT_NEAR(p.memory->lora.forward.total().real(), 3'079'402'320.0, 5e5);
}

}  // namespace
}  // namespace modelwatch::estimator
