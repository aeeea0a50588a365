#include <gtest/gtest.h>

#include <fstream>

#include "advisories/diff/diff.h"
#include "estimator/json/reader.h"
#include "tests/support/golden.h"
#include "tests/support/snapshots.h"

namespace modelwatch::advisories {
namespace {

testing::Files files_of(const json::Value* side) {
  testing::Files files;
  if (side && side->object())
    for (const auto& [path, text] : *side->object())
      if (text.string()) files[path] = *text.string();
  return files;
}

// Over real commits: a part has a new state exactly where something above cosmetic changed in it.
TEST(RealCommits, AStateChangesExactlyWhereTheMeaningDoes) {
  const auto data = testing::shared_data();
  if (data.empty()) GTEST_SKIP() << "the data folder is not there";
  std::ifstream in(data / "commits/commits.jsonl");
  int pairs = 0;
  for (std::string line; std::getline(in, line);) {
    const auto commit = json::read(line);
    ASSERT_TRUE(commit);
    const Snapshot before = testing::snapshot_of(files_of(commit->value.find("before"))), after = testing::snapshot_of(files_of(commit->value.find("after")));
    const States was = states(before), is = states(after);
    EXPECT_EQ(states_after(before, was, after), is);
    for (const Change& change : diff(before, after).parts) {
      if (!was.contains(change.part) || !is.contains(change.part)) continue;
      if (change.part == Part::weights || change.part == Part::chat_template) continue;  // held by their own tests
      ++pairs;
      EXPECT_EQ(change.impact == Impact::cosmetic, was.at(change.part) == is.at(change.part))
          << name(change.part) << " " << *commit->value.find("sha")->string() << ": " << change.summary;
    }
  }
  EXPECT_GT(pairs, 100);
}

}  // namespace
}  // namespace modelwatch::advisories
