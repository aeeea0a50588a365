#include <gmock/gmock.h>

#include "estimator/json/writer.h"
#include "tests/storage/database.h"

namespace modelwatch::storage {
namespace {

using advisories::Impact;
using advisories::Part;
using testing::ElementsAre;
using testing::IsEmpty;

/// org/a: 12 config and tokenizer at 120 s, 13 weights at 180 s; org/b: 22 config at 1120 s.
class Stream : public testing::Test {
 protected:
  void SetUp() override {
    Writer a(store, "org/a", "a1"), b(store, "org/b", "b1");
    a.commit(sha(11), {});
    a.commit(sha(12), {change(Part::config, Impact::breaking, "heads"), change(Part::tokenizer, Impact::behaviour, "tokens")});
    a.commit(sha(13), {change(Part::weights, Impact::resource, "dtype"), change(Part::card, Impact::cosmetic, "words")});
    b.seconds = 1000;
    b.commit(sha(21), {});
    b.commit(sha(22), {change(Part::config, Impact::security, "remote code")});
  }
  std::vector<std::string> select(const ChangeFilter& filter, int limit = 0) {
    std::vector<std::string> found;
    for (const ChangeRow& row : must(store.changes(filter, limit))) found.push_back(row.summary);
    return found;
  }
  Store store = open(":memory:");
};

TEST_F(Stream, IsInTheOrderOfObservationAndCanBeFollowed) {
  EXPECT_THAT(select({}), ElementsAre("heads", "tokens", "dtype", "words", "remote code"));
  std::vector<std::string> followed;
  ChangeFilter filter;
  for (;;) {
    const auto page = must(store.changes(filter, 2));
    if (page.empty()) break;
    for (const ChangeRow& row : page) followed.push_back(row.summary);
    filter.after = page.back().sequence;
  }
  EXPECT_EQ(followed, select({}));
}

TEST_F(Stream, Filters) {
  ChangeFilter by;
  by.repository = "org/a";
  EXPECT_THAT(select(by), ElementsAre("heads", "tokens", "dtype", "words"));
  by.part = Part::config;
  EXPECT_THAT(select(by), ElementsAre("heads"));
  by.repository.reset();
  EXPECT_THAT(select(by), ElementsAre("heads", "remote code"));
  by.at_least = Impact::security;
  EXPECT_THAT(select(by), ElementsAre("remote code"));
  by.part.reset();
  by.at_least = Impact::behaviour;
  EXPECT_THAT(select(by), ElementsAre("heads", "tokens", "remote code"));
  by = {};
  by.since = at(180);
  EXPECT_THAT(select(by), ElementsAre("dtype", "words", "remote code"));
  by.since = at(2000);
  EXPECT_THAT(select(by), IsEmpty());
}

TEST_F(Stream, OfAnUnknownRepositoryIsNotFound) {
  ChangeFilter by;
  by.repository = "org/c";
  EXPECT_EQ(store.changes(by, 0).error().kind, ErrorKind::not_found);
  must(store.track("org/c", "main", {}, at(0)));
  EXPECT_THAT(select(by), IsEmpty()) << "tracked, not seen yet";
}

TEST_F(Stream, ARowHasEverythingAReaderNeeds) {
  const ChangeRow row = must(store.changes({}, 1)).at(0);
  EXPECT_EQ(row.sequence, 1);
  EXPECT_EQ(row.repository, "org/a");
  EXPECT_EQ(row.sha, sha(12));
  EXPECT_EQ(row.committed, at(120));
  EXPECT_EQ(row.impact, Impact::breaking);
  EXPECT_TRUE(row.advisory.starts_with("x_MODELWATCH-2026-")) << row.advisory;
  ASSERT_EQ(row.findings.array()->size(), 1U);
  EXPECT_EQ(*row.findings.array()->at(0).find("pointer")->string(), "/key");
}

TEST_F(Stream, ACursorIsASequenceADateOrAnAdvisory) {
  EXPECT_EQ(must(store.cursor("3")), 3);
  EXPECT_EQ(must(store.cursor("2026-08-20")), 0);
  EXPECT_EQ(must(store.cursor("2026-08-20T09:15:04Z")), 2) << "180 s after the start of the tests";
  EXPECT_EQ(must(store.cursor("2027-01-01")), 5);
  const std::string advisory = must(store.changes({}, 2)).at(1).advisory;
  EXPECT_EQ(must(store.cursor(advisory)), 2);
  EXPECT_EQ(store.cursor("x_MODELWATCH-2026-000000000000").error().kind, ErrorKind::usage);
  EXPECT_EQ(store.cursor("").error().kind, ErrorKind::usage);
}

}  // namespace
}  // namespace modelwatch::storage
