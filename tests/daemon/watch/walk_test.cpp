#include "daemon/watch/walk.h"

#include <gmock/gmock.h>

#include <set>

namespace modelwatch::watch {
namespace {

struct Case {
  const char* name;
  const char* list;    ///< newest first, one letter a commit
  const char* known;
  bool met_known, complete;
  const char* stored;  ///< revisions in the database
  const char* expected;
  bool rewritten = false, unknown = false;
  const char* base = "";
};

class Walks : public testing::TestWithParam<Case> {};

TEST_P(Walks, AreOldestFirst) {
  const Case& c = GetParam();
  hub::CommitList list;
  for (const char sha : std::string(c.list)) list.commits.push_back({std::string(1, sha), "", {}, {}});
  list.met_known = c.met_known;
  list.complete = c.complete;
  const std::string stored = c.stored;
  const Walk found = walk(list, c.known, [&](const std::string& sha) { return stored.find(sha) != std::string::npos; });
  std::string shas;
  for (const hub::Commit& commit : found.revisions) shas += commit.sha;
  EXPECT_EQ(shas, c.expected);
  EXPECT_EQ(found.rewritten, c.rewritten);
  EXPECT_EQ(found.ancestry_unknown, c.unknown);
  EXPECT_EQ(found.base, c.base);
}

INSTANTIATE_TEST_SUITE_P(
    Lists, Walks,
    testing::Values(Case{"first_sight", "cba", "", false, true, "", "abc"},
                    Case{"first_sight_in_a_window", "dcb", "", false, false, "", "bcd"},
                    Case{"one_new", "c", "b", true, false, "ab", "c"},
                    Case{"several_new", "edc", "b", true, false, "ab", "cde"},
                    Case{"nothing_new", "", "b", true, false, "ab", ""},
                    Case{"squashed", "s", "c", false, true, "abc", "s", true},
                    Case{"rewritten_without_a_common_commit", "zyx", "c", false, true, "abc", "z", true},
                    Case{"rewritten_after_a", "yxa", "c", false, true, "abc", "xy", true, false, "a"},
                    Case{"set_back_to_a_known_one", "ba", "c", false, true, "abc", "b", true, false, "b"},
                    Case{"a_cap_stopped_the_reading", "zyx", "c", false, false, "abc", "z", false, true}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace modelwatch::watch
