#include "advisories/diff/causes.h"

#include <gtest/gtest.h>

#include "tests/support/snapshots.h"

namespace modelwatch::advisories {
namespace {

using testing::snapshot_of;

std::string causes(const Diff& diff) {
  std::string text;
  for (const Change& change : diff.parts)
    for (const Finding& finding : change.findings) text += finding.path + *finding.pointer + ": " + finding.cause + "\n";
  return text;
}

TEST(Causes, OneCauseInSeveralFilesIsShared) {
  const Diff found = diff(snapshot_of({{"config.json", R"({"eos_token_id":2,"hidden_size":4})"}, {"generation_config.json", R"({"eos_token_id":2})"}}),
                          snapshot_of({{"config.json", R"({"eos_token_id":7,"hidden_size":8})"}, {"generation_config.json", R"({"eos_token_id":7})"}}));
  EXPECT_EQ(causes(found),
            "config.json/eos_token_id: eos_token_id from 2 to 7\n"
            "config.json/hidden_size: \n"
            "generation_config.json/eos_token_id: eos_token_id from 2 to 7\n");
}

TEST(Causes, ATokenIsOneCauseInAllItsFiles) {
  const Diff found = diff(snapshot_of({{"added_tokens.json", "{}"}, {"tokenizer_config.json", "{}"}, {"special_tokens_map.json", "{}"}}),
                          snapshot_of({{"added_tokens.json", R"({"<x>":9})"},
                                       {"tokenizer_config.json", R"({"pad_token":"<x>"})"},
                                       {"special_tokens_map.json", R"({"pad_token":{"content":"<x>"}})"}}));
  ASSERT_EQ(found.parts.size(), 1u);
  for (const Finding& finding : found.parts[0].findings) EXPECT_EQ(finding.cause, "token <x>") << finding.path;
}

TEST(Causes, TheChangelogLineNamesThreeThingsAtMost) {
  const Diff found = diff(snapshot_of({{"config.json", R"({"a_dim":1,"b_dim":1,"c_dim":1,"d_dim":1,"transformers_version":"1"})"}}),
                          snapshot_of({{"config.json", R"({"a_dim":2,"b_dim":2,"c_dim":2,"d_dim":2,"transformers_version":"2"})"}}));
  EXPECT_EQ(found.parts.at(0).summary, "a_dim 1 → 2; b_dim 1 → 2; c_dim 1 → 2; 1 more");
}

}  // namespace
}  // namespace modelwatch::advisories
