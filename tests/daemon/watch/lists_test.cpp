#include "daemon/watch/lists.h"

#include <gtest/gtest.h>

namespace modelwatch::watch {
namespace {

const std::string kA(40, 'a'), kB(40, 'b');

storage::Tracked row(std::int64_t id, std::string name, std::string hub_id, std::string head) {
  storage::Tracked tracked;
  tracked.id = id;
  tracked.name = std::move(name);
  tracked.hub_id = std::move(hub_id);
  tracked.head = std::move(head);
  return tracked;
}

/// "look 2 3; unchanged 1"
std::string shown(const ListVerdict& verdict) {
  std::string text = "look";
  for (const auto id : verdict.look) text += " " + std::to_string(id);
  text += "; unchanged";
  for (const auto id : verdict.unchanged) text += " " + std::to_string(id);
  return text;
}

TEST(Lists, HeadsAreComparedAndDatesAreNot) {
  // The second went back to an older commit: its date is older than before, its head another.
  const hub::RepositoryList list{{{"1", "acme/a", kA, "2026-10-01T00:00:00.000Z"}, {"2", "acme/b", kB, "2020-01-01T00:00:00.000Z"}}, true};
  EXPECT_EQ(shown(judge({row(1, "acme/a", "1", kA), row(2, "acme/b", "2", kA)}, "acme", list)), "look 2; unchanged 1");
}

TEST(Lists, NamesAndIdsThatParted) {
  const hub::RepositoryList list{{{"1", "acme/new", kA, ""}, {"9", "acme/taken", kA, ""}, {"3", "acme/fresh", kA, ""}}, true};
  const auto verdict = judge({row(1, "acme/old", "1", kA), row(2, "acme/taken", "2", kA), row(3, "acme/fresh", "", "")}, "acme", list);
  EXPECT_EQ(shown(verdict), "look 1 2 3; unchanged");
}

TEST(Lists, AbsenceFromACompleteListIsAReasonToLook) {
  const std::vector<storage::Tracked> rows = {row(1, "acme/gone", "1", kA), row(2, "other/x", "2", kA)};
  EXPECT_EQ(shown(judge(rows, "acme", {{}, true})), "look 1; unchanged");
  EXPECT_EQ(shown(judge(rows, "acme", {{}, false})), "look; unchanged") << "the reading stopped before";
  EXPECT_EQ(shown(judge(rows, "", {{}, true})), "look 1 2; unchanged");
}

TEST(Lists, WhatAListDoesNotShowIsLeftAlone) {
  const hub::RepositoryList list{{{"1", "acme/a", kB, ""}, {"2", "acme/b", "", ""}}, true};
  storage::Tracked branch = row(1, "acme/a", "1", kA), removed = branch, disabled = branch;
  branch.ref = "dev";
  removed.polled = false;
  disabled.access = "disabled";
  EXPECT_EQ(shown(judge({branch, removed, disabled, row(2, "acme/b", "2", kA)}, "acme", list)), "look; unchanged");
}

TEST(Lists, AServerWithoutIds) {
  const hub::RepositoryList list{{{"", "acme/a", kA, ""}, {"", "acme/b", kB, ""}}, true};
  EXPECT_EQ(shown(judge({row(1, "acme/a", "acme/a", kA), row(2, "acme/b", "acme/b", kA)}, "acme", list)), "look 2; unchanged 1");
}

TEST(Lists, TheNamespacesThatPay) {
  std::vector<storage::Tracked> rows = {row(1, "small/a", "1", kA), row(2, "gpt2", "2", kA), row(3, "gpt3", "3", kA)};
  for (int i = 0; i < 3; ++i) rows.push_back(row(10 + i, "mid/" + std::to_string(i), "", ""));
  for (int i = 0; i < 5; ++i) rows.push_back(row(20 + i, "large/" + std::to_string(i), "", ""));
  rows.push_back(row(30, "mid/branch", "", ""));
  rows.back().ref = "dev";
  EXPECT_EQ(worth_listing(rows, 2), (std::vector<std::string>{"large", "mid"}));
  EXPECT_EQ(worth_listing(rows, 4), std::vector<std::string>{"large"});
  EXPECT_TRUE(worth_listing({}, 0).empty());
}

}  // namespace
}  // namespace modelwatch::watch
