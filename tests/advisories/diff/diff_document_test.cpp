#include <gtest/gtest.h>

#include "advisories/diff/diff.h"
#include "estimator/json/reader.h"
#include "estimator/json/writer.h"
#include "tests/support/golden.h"
#include "tests/support/snapshots.h"

namespace modelwatch::advisories {
namespace {

using testing::snapshot_of;

const testing::Files kBefore = {
    {"config.json", R"({"model_type":"llama","architectures":["LlamaForCausalLM"],"hidden_size":64,"intermediate_size":128,"num_hidden_layers":2,
      "num_attention_heads":4,"num_key_value_heads":4,"vocab_size":100,"torch_dtype":"bfloat16","eos_token_id":2})"},
    {"generation_config.json", R"({"eos_token_id":2,"temperature":0.6})"},
    {"README.md", "---\nlicense: mit\n---\nA model.\n"},
    {"modeling_x.py", "import torch\n"},
    {"notes.csv", "1\n"}};
const testing::Files kAfter = {
    {"config.json", R"({"model_type":"llama","architectures":["LlamaForCausalLM"],"hidden_size":64,"intermediate_size":128,"num_hidden_layers":2,
      "num_attention_heads":4,"num_key_value_heads":2,"vocab_size":100,"dtype":"bfloat16","eos_token_id":[2,7]})"},
    {"generation_config.json", "{\"eos_token_id\": [2, 7], \"temperature\": 0.7,}"},
    {"README.md", "---\nlicense: cc-by-nc-4.0\n---\nA model.\n"},
    {"modeling_x.py", "import torch, subprocess\nsubprocess.run(['ls'])\n"},
    {"notes.csv", "2\n"}};

TEST(DiffDocument, IsTheContractOfTheCommandLine) {
  testing::expect_golden("diff/document.json", json::write(to_json(diff(snapshot_of(kBefore), snapshot_of(kAfter))), json::Style::pretty) + "\n");
}

TEST(DiffDocument, FindingsReadBackAsTheyWere) {
  for (const Change& change : diff(snapshot_of(kBefore), snapshot_of(kAfter)).parts)
    for (const Finding& finding : change.findings) {
      const json::Value written = to_json(finding);
      EXPECT_EQ(json::write(to_json(finding_from_json(written))), json::write(written));
    }
}

TEST(DiffDocument, EqualRevisionsHaveNoPartsAndNoPlan) {
  const Diff found = diff(snapshot_of(kBefore), snapshot_of(kBefore));
  EXPECT_TRUE(found.parts.empty());
  EXPECT_TRUE(found.plan.is_null());
  EXPECT_EQ(found.impact, Impact::cosmetic);
}

TEST(DiffDocument, ThePlanSaysWhyASideIsNotPlanned) {
  const Diff found = diff(snapshot_of({{"config.json", R"({"model_type":"nobody_knows","hidden_size":4})"}}),
                          snapshot_of({{"config.json", R"({"model_type":"nobody_knows","hidden_size":8})"}}));
  ASSERT_FALSE(found.plan.is_null());
  EXPECT_TRUE(found.plan.find("before")->is_null());
  EXPECT_NE(found.plan.find("unknown")->string()->find("nobody_knows"), std::string::npos);
}

TEST(DiffDocument, ACosmeticChangeDoesNotMoveThePlan) {
  const Diff found = diff(snapshot_of({{"config.json", R"({"model_type":"llama","torch_dtype":"bfloat16"})"}}),
                          snapshot_of({{"config.json", R"({"model_type":"llama","dtype":"bfloat16"})"}}));
  EXPECT_TRUE(found.plan.is_null());
}

}  // namespace
}  // namespace modelwatch::advisories
