#include <gtest/gtest.h>

#include <algorithm>

#include "advisories/diff/diff.h"
#include "tests/support/snapshots.h"

namespace modelwatch::advisories {
namespace {

using testing::snapshot_of;

const Finding* find(const Diff& diff, std::string_view rule) {
  for (const Change& change : diff.parts)
    for (const Finding& finding : change.findings)
      if (finding.rule == rule) return &finding;
  return nullptr;
}

TEST(Unreadable, AFileThatStopsParsingBreaksLoadersAndTheChangeIsStillNamed) {
  const Diff found = diff(snapshot_of({{"generation_config.json", R"({"temperature": 0.6})"}}),
                          snapshot_of({{"generation_config.json", "{\"temperature\": 0.7,\n}"}}));
  EXPECT_EQ(found.impact, Impact::breaking);
  ASSERT_EQ(found.unreadable.size(), 1u);
  EXPECT_EQ(found.unreadable[0].side, "after");
  EXPECT_EQ(found.unreadable[0].reason, "line 1, column 20: trailing comma");
  ASSERT_TRUE(find(found, "generation.file.unparsable"));
  ASSERT_TRUE(find(found, "generation.temperature.replaced"));
  EXPECT_EQ(find(found, "generation.temperature.replaced")->impact, Impact::behaviour);
}

TEST(Unreadable, AFileThatParsesAgainWasBrokenBefore) {
  const Diff found = diff(snapshot_of({{"config.json", "{\"hidden_size\": 8 \"vocab_size\": 9}"}}), snapshot_of({{"config.json", "{\"hidden_size\": 8, \"vocab_size\": 9}"}}));
  ASSERT_TRUE(find(found, "config.file.parses_again"));
  EXPECT_EQ(found.impact, Impact::breaking);
  EXPECT_EQ(found.unreadable.at(0).side, "before");
}

TEST(Unreadable, WhatWasNotFetchedIsUnknownNotGuessed) {
  const Diff found = diff(snapshot_of({}, {{"config.json", "aa", 10, {}}}), snapshot_of({{"config.json", "{}"}}));
  EXPECT_EQ(found.impact, Impact::unknown);
  EXPECT_EQ(found.unreadable.at(0).reason, "not read: only in the listing");
}

TEST(Unreadable, KeysThatStandTwiceAndNanAreSaid) {
  const Diff found = diff(snapshot_of({{"config.json", R"({"rope_theta":1})"}}), snapshot_of({{"config.json", R"({"rope_theta":2,"rope_theta":1,"x_scale":NaN})"}}));
  ASSERT_TRUE(find(found, "config.file.duplicate_key"));
  EXPECT_NE(find(found, "config.file.duplicate_key")->meaning.find("/rope_theta twice"), std::string::npos);
  EXPECT_TRUE(find(found, "config.file.not_finite"));
}

TEST(Unreadable, FindingsOfOneFileAreBounded) {
  std::string labels;
  for (int i = 0; i < 3000; ++i) labels += (i ? ",\"" : "\"") + std::to_string(i) + "\":\"x" + std::to_string(i) + "\"";
  std::string other = labels;
  std::replace(other.begin(), other.end(), 'x', 'y');
  const Diff found = diff(snapshot_of({{"config.json", "{\"id2label\":{" + labels + "}}"}}), snapshot_of({{"config.json", "{\"id2label\":{" + other + "}}"}}));
  EXPECT_LE(found.parts.at(0).findings.size(), 2001u);
  EXPECT_TRUE(find(found, "config.file.more"));
}

/// An empty tokenizer.json, index or header once ended the process: every file that is read, from and to every shape of nothing.
TEST(Unreadable, DegenerateFilesEndNothing) {
  const std::string null_header(8, '\0');
  const std::string contents[] = {"", " ", "{", "{}", "[]", "null", "0", "\"\"", "\xFF", "---", "{\"model\":", null_header, null_header + "{}"};
  for (const char* path : {"config.json", "generation_config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json",
                           "added_tokens.json", "vocab.json", "vocab.txt", "merges.txt", "tokenizer.model", "chat_template.json",
                           "chat_template.jinja", "preprocessor_config.json", "adapter_config.json", "README.md", "LICENSE", "modeling_x.py",
                           "requirements.txt", "model.safetensors", "model.safetensors.index.json", "pytorch_model.bin.index.json",
                           "model.gguf", "vae/config.json", "1_Pooling/config.json", "model_index.json"})
    for (const std::string& before : contents)
      for (const std::string& after : contents) {
        const Snapshot left = snapshot_of({{path, before}}), right = snapshot_of({{path, after}});
        const Diff found = diff(left, right);
        EXPECT_EQ(before == after, found.parts.empty()) << path << ": " << before << " → " << after;
        states_after(left, states(left), right);
      }
}

}  // namespace
}  // namespace modelwatch::advisories
