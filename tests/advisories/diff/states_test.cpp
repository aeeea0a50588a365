#include <gtest/gtest.h>

#include "advisories/diff/diff.h"
#include "tests/support/snapshots.h"

namespace modelwatch::advisories {
namespace {

using testing::snapshot_of;

TEST(States, PresentPartsHaveOneAndAbsentPartsNone) {
  const States found = states(snapshot_of({{"config.json", "{}"}, {"README.md", "x"}}));
  EXPECT_EQ(found.size(), 2u);
  EXPECT_TRUE(found.at(Part::config).starts_with("sha256:"));
  EXPECT_EQ(found.at(Part::config).size(), 71u);
}

TEST(States, AReturnIsTheEarlierState) {
  const Snapshot one = snapshot_of({{"config.json", R"({"hidden_size":4})"}}), two = snapshot_of({{"config.json", R"({"hidden_size":8})"}}),
                 back = snapshot_of({{"config.json", "{\n\"hidden_size\": 4, \"transformers_version\": \"5\"}"}});
  const States first = states(one), second = states_after(one, first, two), third = states_after(two, second, back);
  EXPECT_NE(first, second);
  EXPECT_EQ(first, third);
}

// Nothing of an untouched part is read: its digest is taken over as it is.
TEST(States, UntouchedPartsAreTakenOver) {
  const Snapshot before = snapshot_of({{"config.json", "{}"}, {"generation_config.json", "{}"}});
  const Snapshot after = snapshot_of({{"config.json", R"({"hidden_size":8})"}, {"generation_config.json", "{}"}});
  const States taken = states_after(before, {{Part::config, "old"}, {Part::generation, "kept"}}, after);
  EXPECT_EQ(taken.at(Part::generation), "kept");
  EXPECT_NE(taken.at(Part::config), "old");
}

TEST(States, WhatCannotBeReadIsHeldByItsIdentity) {
  const States a = states(snapshot_of({}, {{"config.json", "aa", 1, {}}})), b = states(snapshot_of({}, {{"config.json", "bb", 1, {}}}));
  EXPECT_NE(a.at(Part::config), b.at(Part::config));
}

TEST(States, SameMeaningInAMovedPartOfAFolderStaysItsOwn) {
  const States flat = states(snapshot_of({{"config.json", R"({"a":1})"}})), nested = states(snapshot_of({{"vae/config.json", R"({"a":1})"}}));
  EXPECT_NE(flat.at(Part::config), nested.at(Part::config));
}

}  // namespace
}  // namespace modelwatch::advisories
