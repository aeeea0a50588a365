#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "estimator/graph/forward.h"
#include "estimator/graph/rows.h"
#include "estimator/json/reader.h"
#include "estimator/json/writer.h"
#include "estimator/plan.h"
#include "estimator/units.h"

namespace modelwatch::estimator {
namespace {

namespace fs = std::filesystem;

Plan planned(json::Value config, PlanOptions options = {}) {
  auto result = plan(config, options);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return result ? *result : Plan();
}

json::Value read(std::string_view text) { return json::read(text)->value; }

constexpr std::string_view kLlama = R"({"model_type":"llama","hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,
  "num_key_value_heads":2,"intermediate_size":192,"vocab_size":1000,"max_position_embeddings":512})";

json::Value changed(std::string_view base, std::string_view change) {
  json::Value config = read(base);
  const json::Value changes = read(change);
  for (const auto& [key, value] : *changes.object()) config.object()->set(key, value);
  return config;
}

std::string table_of(const Plan& plan) {
  std::string text;
  for (const Row& row : structure_rows(*plan.model)) text += row.name + " | " + row.label + " | " + row.shape + "\n";
  return text;
}

TEST(Nodes, ALlamaIsToldRowByRow) {
  const Plan p = planned(changed(kLlama, R"({"num_hidden_layers":1})"));
  EXPECT_EQ(table_of(p),
            "Input | Input | 1 × 512\n"
            "Embedding | Embedding | 1 × 512 × 64\n"
            "RoPE | RoPE | 1 × 512 × 64\n"
            "RMSNorm_1_1 | RMSNorm | 1 × 512 × 64\n"
            "Attention_1 | Grouped Query Attn | 1 × 512 × 64\n"
            "Add_1_attn | Add | 1 × 512 × 64\n"
            "RMSNorm_1_2 | RMSNorm | 1 × 512 × 64\n"
            "FFN_1 | SwiGLU | 1 × 512 × 64\n"
            "Add_1_ffn | Add | 1 × 512 × 64\n"
            "Final_RMSNorm | RMSNorm | 1 × 512 × 64\n"
            "LM_Head | Linear | 1 × 512 × 1000\n"
            "Output | Output | 1 × 512 × 1000\n");
  EXPECT_EQ(layer_count(structure_rows(*p.model)), 10);
}

TEST(Nodes, AForwardPassThatCannotBeNamesItsNode) {
  EXPECT_EQ(forward_fault(*planned(read(kLlama)).model), std::nullopt);
  EXPECT_EQ(forward_fault(*planned(changed(kLlama, R"({"num_key_value_heads":3})")).model),
            "Attention_1: 4 query heads do not divide among 3 key-value heads");
}

struct Fires {
  std::string_view rule;
  std::string_view with;     ///< change of the llama, or a whole config
  std::string_view without;
};

TEST(Verifier, EachRuleSpeaksWhenItShould) {
  const Fires cases[] = {
      {"gqa-head-mismatch", R"({"num_key_value_heads":3})", R"({})"},
      {"huge-linear-params", R"({"hidden_size":8192,"vocab_size":200000})", R"({})"},
      {"kv-cache-budget", R"({"max_position_embeddings":4000000000})", R"({})"},
      {"swiglu-dim-convention", R"({"intermediate_size":640})", R"({"intermediate_size":192})"},
      {"deep-attention-default-init", R"({"num_hidden_layers":8})", R"({"num_hidden_layers":7})"},
      {"full-mha", R"({"num_key_value_heads":4,"max_position_embeddings":65536})", R"({"max_position_embeddings":65536})"},
      {"large-activation", R"({"hidden_size":1048576})", R"({})"},
      {"moe-no-aux-loss", R"({"model_type":"qwen3_moe","num_experts":4,"num_experts_per_tok":2,"moe_intermediate_size":32,"head_dim":16})", R"({})"},
      {"attention-no-position", R"({"model_type":"mpt","n_heads":4,"d_model":64,"n_layers":2})", R"({})"},
  };
  for (const Fires& c : cases) {
    const auto rules = [&](std::string_view change) {
      std::set<std::string> ids;
      for (const Finding& f : planned(changed(kLlama, change)).findings) ids.insert(f.rule);
      return ids;
    };
    EXPECT_TRUE(rules(c.with).contains(std::string(c.rule))) << c.rule;
    EXPECT_FALSE(rules(c.without).contains(std::string(c.rule))) << c.rule;
  }
}

TEST(Verifier, BlocksComeFirst) {
  const Plan p = planned(changed(kLlama, R"({"num_key_value_heads":3,"num_hidden_layers":9})"));
  ASSERT_GE(p.findings.size(), 2u);
  EXPECT_EQ(p.findings.front().severity, Severity::block);
  for (std::size_t i = 1; i < p.findings.size(); ++i) EXPECT_LE(p.findings[i - 1].severity, p.findings[i].severity);
}

TEST(Cards, TheLargestBatchIsTheLastThatFits) {
  const Plan p = planned(read(R"({"model_type":"llama","hidden_size":2048,"num_hidden_layers":16,"num_attention_heads":32,
    "num_key_value_heads":8,"intermediate_size":8192,"vocab_size":128256,"max_position_embeddings":8192,"tie_word_embeddings":true})"));
  for (const Method method : {Method::full, Method::lora}) {
    const TrainingModel training(*p.model, p.parameters, p.options, method);
    for (const CardFit& fit : p.fits->cards) {
      const std::int64_t batch = method == Method::full ? fit.full : fit.lora;
      const double room = fit.card.gb * 1e9 / kHeadroom;
      if (batch > 0) {
        EXPECT_LE(training.at(batch, p.tokens).peak().real(), room) << fit.card.name;
      }
      EXPECT_GT(training.at(batch + 1, p.tokens).peak().real(), room) << fit.card.name;
    }
  }
}

TEST(Cards, ACardOfTheUserStandsAmongTheKnown) {
  PlanOptions options;
  options.cards.push_back({"Mine", 12});
  const Plan p = planned(read(kLlama), options);
  ASSERT_FALSE(p.fits->cards.empty());
  EXPECT_EQ(p.fits->cards.front().card.name, "Mine");
  EXPECT_THAT(p.fits->headline, testing::HasSubstr("fits one Mine"));
}

TEST(Units, AreWrittenAsPeopleReadThem) {
  const std::pair<double, std::string> cases[] = {{13.18e12, "13.18 TB"}, {310e9, "310 GB"},  {99.96e9, "100.0 GB"}, {39.5e9, "39.5 GB"},
                                                  {8.51e9, "8.51 GB"},    {0.29e9, "0.29 GB"}, {84e6, "84 MB"},       {12, "12 B"}};
  for (const auto& [bytes, text] : cases) EXPECT_EQ(bytes_text(bytes), text);
  EXPECT_EQ(grouped(684489845504), "684,489,845,504");
  EXPECT_EQ(grouped(-1234), "-1,234");
}

/// The node tables of the seed's pages, row for row, where it read the model rightly.
TEST(Seed, NodeTablesAreReproduced) {
  const fs::path data = fs::path(MODELWATCH_SOURCE_DIR) / ".." / "shared" / "data";
  std::ifstream file(data / "seed_expected.json", std::ios::binary);
  if (!file) GTEST_SKIP() << "needs ../shared/data/seed_expected.json";
  const json::Value expected = read(std::string((std::istreambuf_iterator<char>(file)), {}));
  for (const std::string page : {"DeepSeek-V3.1", "Kimi-K3-DSpark"}) {
    std::ifstream config_file(data / "seed_configs" / (page + ".json"), std::ios::binary);
    const Plan p = planned(read(std::string((std::istreambuf_iterator<char>(config_file)), {})));
    const json::Value* rows = json::at_pointer(expected, "/pages/" + page + "/nodes");
    ASSERT_NE(rows, nullptr);
    EXPECT_EQ(*json::at_pointer(to_json(p), "/nodes/rows"), *rows) << page;
  }
}

}  // namespace
}  // namespace modelwatch::estimator
