#include "estimator/reconcile/reconcile.h"

#include <gmock/gmock.h>

#include "estimator/graph/patterns.h"
#include "estimator/json/reader.h"
#include "estimator/plan.h"

namespace modelwatch::estimator {
namespace {

Plan planned(std::string_view text) { return *plan(json::read(text)->value); }

constexpr std::string_view kBert = R"({"model_type":"bert","architectures":["BertModel"],"hidden_size":32,"num_hidden_layers":6,
  "num_attention_heads":4,"intermediate_size":64,"vocab_size":200,"max_position_embeddings":512})";
constexpr std::string_view kTiedLlama = R"({"model_type":"llama","architectures":["LlamaForCausalLM"],"hidden_size":64,
  "num_hidden_layers":2,"num_attention_heads":4,"intermediate_size":128,"vocab_size":1000,"tie_word_embeddings":true})";
constexpr std::string_view kMoe = R"({"model_type":"qwen3_moe","hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,
  "num_key_value_heads":2,"head_dim":16,"moe_intermediate_size":32,"num_experts":4,"num_experts_per_tok":2,"vocab_size":100})";

/// The table a faithful checkpoint of the plan would have.
std::vector<StoredTensor> checkpoint_of(const Plan& plan) {
  std::vector<StoredTensor> table;
  for_each_name(*plan.model, TensorSet::parameters, [&](std::string name, const Tensor& tensor) {
    StoredTensor& stored = table.emplace_back();
    stored.name = std::move(name);
    stored.dtype = "BF16";
    for (const Count size : tensor.shape) stored.shape.push_back(size.value());
    stored.bytes = 2 * stored.scalars();
  });
  return table;
}

std::string told(const Reconciliation& r) {
  std::string text;
  std::int64_t sum = r.unexplained;
  for (const Explanation& e : r.explained) {
    text += e.cls + " " + std::to_string(e.tensors) + " " + std::to_string(e.scalars) + "; ";
    sum += e.scalars;
  }
  EXPECT_EQ(sum, r.delta) << "the explanations do not sum to the difference";
  return text + "unexplained " + std::to_string(r.unexplained);
}

TEST(Reconcile, AFaithfulCheckpointHasNothingToExplain) {
  for (const std::string_view config : {kBert, kTiedLlama, kMoe}) {
    const Plan plan = planned(config);
    const Reconciliation r = reconcile(*plan.model, checkpoint_of(plan));
    EXPECT_EQ(told(r), "unexplained 0") << config;
    EXPECT_EQ(r.matched, plan.parameters.tensors.value());
  }
}

TEST(Reconcile, PositionIdsAreABuffer) {
  const Plan plan = planned(kBert);
  std::vector<StoredTensor> table = checkpoint_of(plan);
  table.push_back({"embeddings.position_ids", "I64", {1, 512}, 4096});
  EXPECT_EQ(table.size(), 104u);
  EXPECT_EQ(told(reconcile(*plan.model, table)), "buffers 1 -512; unexplained 0");
}

TEST(Reconcile, ATiedHeadStoredAnywayIsNamed) {
  const Plan plan = planned(kTiedLlama);
  std::vector<StoredTensor> table = checkpoint_of(plan);
  table.push_back({"lm_head.weight", "BF16", {1000, 64}, 128'000});
  EXPECT_EQ(told(reconcile(*plan.model, table)), "tied-head 1 -64000; unexplained 0");
}

TEST(Reconcile, AnotherPrefixIsTheSameTensor) {
  const Plan plan = planned(kBert);
  std::vector<StoredTensor> table = checkpoint_of(plan);
  for (StoredTensor& tensor : table) tensor.name = "bert." + tensor.name;
  EXPECT_EQ(told(reconcile(*plan.model, table)), "unexplained 0");
}

TEST(Reconcile, FusedExpertsAreTheSumOfTheirParts) {
  const Plan plan = planned(kMoe);
  std::vector<StoredTensor> table;
  for (StoredTensor& tensor : checkpoint_of(plan))
    if (tensor.name.find(".experts.") == std::string::npos) table.push_back(tensor);
  for (const std::string layer : {"0", "1"}) {
    table.push_back({"model.layers." + layer + ".mlp.experts.gate_up_proj", "BF16", {4, 64, 64}, 0});
    table.push_back({"model.layers." + layer + ".mlp.experts.down_proj", "BF16", {4, 64, 32}, 0});
  }
  EXPECT_EQ(told(reconcile(*plan.model, table)), "unexplained 0");
}

TEST(Reconcile, Fp8BlocksHaveScales) {
  const Plan plan = planned(kTiedLlama);
  std::vector<StoredTensor> table = checkpoint_of(plan);
  table.push_back({"model.layers.0.mlp.up_proj.weight_scale_inv", "F32", {1, 1}, 4});
  EXPECT_EQ(told(reconcile(*plan.model, table)), "scales 1 -1; unexplained 0");
}

TEST(Reconcile, GptqPacksEightScalarsIntoAnElement) {
  const Plan plan = planned(kTiedLlama);
  std::vector<StoredTensor> table;
  for (StoredTensor& tensor : checkpoint_of(plan)) {
    if (tensor.name != "model.layers.1.mlp.up_proj.weight") table.push_back(tensor);
  }
  const std::string base = "model.layers.1.mlp.up_proj.";
  table.push_back({base + "qweight", "I32", {8, 128}, 4096});
  table.push_back({base + "qzeros", "I32", {1, 16}, 64});
  table.push_back({base + "scales", "F16", {1, 128}, 256});
  table.push_back({base + "g_idx", "I32", {64}, 256});
  EXPECT_EQ(told(reconcile(*plan.model, table)),
            "indices 1 -64; packing 1 7168; scales 1 -128; zero-points 1 -16; unexplained 0");
}

TEST(Reconcile, WhatHasNoReasonIsListed) {
  const Plan plan = planned(kTiedLlama);
  std::vector<StoredTensor> table = checkpoint_of(plan);
  table.push_back({"surprise.3.weight", "BF16", {7}, 14});
  table.erase(table.begin() + 2);
  const Reconciliation r = reconcile(*plan.model, table);
  EXPECT_EQ(told(r), "missing 1 4096; unexplained -7");
  ASSERT_EQ(r.only_stored.size(), 1u);
  EXPECT_EQ(r.only_stored[0].pattern, "surprise.*.weight");
  ASSERT_EQ(r.only_derived.size(), 1u);
  EXPECT_EQ(r.only_derived[0].pattern, "model.layers.*.self_attn.q_proj.weight");
}

TEST(Reconcile, ATotalAloneIsAGuess) {
  const Plan plan = planned(kTiedLlama);
  const Reconciliation r = explain_total(*plan.model, plan.parameters.derived.value() + 64'000);
  EXPECT_TRUE(r.guess);
  EXPECT_EQ(told(r), "tied-head 0 -64000; unexplained 0");
  EXPECT_EQ(told(explain_total(*plan.model, plan.parameters.derived.value() + 1)), "unexplained -1");
}

std::string header_of(std::string_view json) {
  std::string bytes(8, '\0');
  for (std::size_t i = 0, n = json.size(); i < 8; ++i, n >>= 8) bytes[i] = static_cast<char>(n & 0xff);
  return bytes + std::string(json);
}

TEST(Safetensors, ReadsTheTableAndRefusesWhatIsNone) {
  const auto table = read_safetensors_header(header_of(
      R"({"__metadata__":{"format":"pt"},"a":{"dtype":"BF16","shape":[2,3],"data_offsets":[0,12]}})"));
  ASSERT_TRUE(table) << table.error().message;
  ASSERT_EQ(table->size(), 1u);
  EXPECT_EQ((*table)[0].scalars(), 6);
  EXPECT_EQ((*table)[0].bytes, 12);
  const std::pair<std::string, std::string> refused[] = {
      {"abc", "safetensors header: shorter than eight bytes"},
      {std::string(8, '\xff'), "safetensors header: longer than 100 MB"},
      {header_of("{}").substr(0, 9), "safetensors header: cut off"},
      {header_of("[]"), "safetensors header: no table"},
      {header_of(R"({"a":{"dtype":"F32","shape":[-1]}})"), "safetensors header: a: a size that is no size"},
      {header_of(R"({"a":{"shape":[1]}})"), "safetensors header: a: no dtype"},
  };
  for (const auto& [bytes, reason] : refused) {
    const auto result = read_safetensors_header(bytes);
    ASSERT_FALSE(result) << reason;
    EXPECT_EQ(result.error().message, reason);
  }
}

}  // namespace
}  // namespace modelwatch::estimator
