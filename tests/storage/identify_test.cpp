#include <gmock/gmock.h>

#include "advisories/osv/ledger.h"
#include "estimator/json/reader.h"
#include "estimator/json/writer.h"
#include "tests/storage/database.h"

namespace modelwatch::storage {
namespace {

using advisories::Impact;
using advisories::Part;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Identify : public testing::Test {
 protected:
  Tracked identify(const Tracked& row, const std::string& hub_id, const std::string& name, int seconds = 100) {
    return must(store.identify(row.id, hub_id, name, at(seconds)));
  }
  /// "name@ref _id head access", rows that are not polled in brackets.
  std::vector<std::string> rows() {
    std::vector<std::string> lines;
    for (const Tracked& t : must(store.tracked())) {
      const std::string line = t.name + "@" + t.ref + " " + t.hub_id + " " + (t.head.empty() ? "-" : t.head.substr(0, 2)) + " " + t.access;
      lines.push_back(t.polled ? line : "(" + line + ")");
    }
    return lines;
  }
  std::vector<std::string> events() {
    std::vector<std::string> lines;
    for (const ChangeRow& row : must(store.changes({}, 0)))
      if (row.event != "change") lines.push_back(row.repository + " " + row.event + ": " + row.summary + (row.advisory.empty() ? "" : " *"));
    return lines;
  }
  /// A repository with a baseline and one advisory.
  Tracked with_history(const std::string& name, const std::string& hub_id, int first) {
    Writer writer(store, name, hub_id);
    writer.commit(sha(first), {});
    writer.commit(sha(first + 1), {change(Part::config, Impact::breaking, "heads")});
    return writer.row();
  }

  Store store = open(":memory:");
};

TEST_F(Identify, TheFirstAnswerMakesTheRepository) {
  const Tracked row = identify(must(store.track("org/a", "main", {}, at(0))), "a1", "org/a");
  EXPECT_NE(row.repository, 0);
  EXPECT_EQ(identify(row, "a1", "org/a").repository, row.repository) << "again changes nothing";
  EXPECT_THAT(events(), IsEmpty());
  EXPECT_THAT(rows(), ElementsAre("org/a@main a1 - open"));
}

TEST_F(Identify, ARenameIsFollowedOnEveryRefAndInTheAdvisories) {
  const Tracked row = with_history("org/old", "a1", 11);
  identify(must(store.track("org/old", "dev", {}, at(0))), "a1", "org/old");
  identify(row, "a1", "org/new");
  EXPECT_THAT(rows(), ElementsAre("org/new@dev a1 - open", "org/new@main a1 12 open"));
  EXPECT_THAT(events(), ElementsAre("org/new renamed: org/old is now org/new"));
  EXPECT_EQ(must(store.find("org/old")).name, "org/new");
  const auto document = must(store.advisories_by_package("org/new", {}, 10)).rows.at(0).document;
  EXPECT_THAT(document, HasSubstr("pkg:huggingface/org/old"));
  EXPECT_THAT(document, HasSubstr("pkg:huggingface/org/new"));
  EXPECT_EQ(must(store.advisories_by_package("org/old", {}, 10)).rows.size(), 1U);
}

TEST_F(Identify, ATakenOverNameGoesToTheNewcomerAndTheHistoryStays) {
  const Tracked row = with_history("org/a", "a1", 11);
  const Tracked newcomer = identify(row, "b2", "org/a");
  EXPECT_EQ(newcomer.id, row.id) << "what is polled is the name";
  EXPECT_EQ(newcomer.head, "");
  EXPECT_EQ(json::write(newcomer.facts), R"({"took_over":{"hub_id":"a1","head":")" + sha(12) + R"("}})");
  EXPECT_THAT(rows(), ElementsAre("org/a@main b2 - open", "(org/a@main a1 12 taken-over)"));
  EXPECT_THAT(events(), ElementsAre("org/a taken-over: Its name org/a now belongs to another repository",
                                    "org/a taken-over: The name org/a belonged to another repository before"));
  EXPECT_EQ(must(store.find("org/a")).hub_id, "b2");
  EXPECT_TRUE(must(store.has_revision(row.repository, sha(12))));
  EXPECT_EQ(must(store.advisories_by_version("org/a", sha(12), {}, 10)).rows.size(), 1U) << "who pinned the former one still asks so";
  identify(newcomer, "b2", "org/a");
  EXPECT_EQ(events().size(), 2U) << "told once";
}

TEST_F(Identify, TheNewcomersAdvisoryIsLinkedToTheEvent) {
  const Tracked newcomer = identify(with_history("org/a", "a1", 11), "b2", "org/a");
  RevisionRecord first;
  first.tracked = newcomer.id;
  first.sha = sha(21);
  first.seen = first.committed = at(300);
  advisories::Takeover takeover;
  takeover.newcomer = {"https://huggingface.co", "org/a", "b2"};
  takeover.first.sha = sha(21);
  takeover.former_hub_id = "a1";
  must(store.commit(first, [&](Time clock) {
    takeover.now = clock;
    return std::vector{advisories::taken_over(takeover, {})};
  }));
  EXPECT_THAT(events().back(), HasSubstr("The name org/a belonged to another repository before *"));
  EXPECT_THAT(events().front(), Not(HasSubstr("*")));
  EXPECT_EQ(must(store.advisories_by_commit(sha(21), {}, 10)).rows.size(), 1U);
}

TEST_F(Identify, EveryRefOfATakenOverNameFollowsTheNewcomer) {
  const Tracked row = with_history("org/a", "a1", 11);
  const Tracked dev = identify(must(store.track("org/a", "dev", {}, at(0))), "a1", "org/a");
  identify(row, "b2", "org/a");
  EXPECT_EQ(identify(dev, "b2", "org/a").id, dev.id);
  EXPECT_THAT(rows(), ElementsAre("org/a@dev b2 - open", "(org/a@dev a1 - taken-over)", "org/a@main b2 - open", "(org/a@main a1 12 taken-over)"));
  EXPECT_EQ(events().size(), 2U);
}

TEST_F(Identify, AFormerNameOfARenamedRepositoryIsTakenOver) {
  identify(with_history("org/old", "a1", 11), "a1", "org/new");
  const Tracked again = must(store.track("org/old", "main", {}, at(1)));
  EXPECT_EQ(again.repository, 0) << "who holds it now is not known yet";
  const Tracked newcomer = identify(again, "b2", "org/old");
  EXPECT_NE(newcomer.facts.find("took_over"), nullptr);
  EXPECT_THAT(rows(), ElementsAre("org/new@main a1 12 open", "org/old@main b2 - open"));
  EXPECT_THAT(events(), ElementsAre("org/new renamed: org/old is now org/new",
                                    "org/new taken-over: Its name org/old now belongs to another repository",
                                    "org/old taken-over: The name org/old belonged to another repository before"));
}

TEST_F(Identify, AFormerNameThatStillLeadsOnJoinsTheRow) {
  const Tracked row = with_history("org/old", "a1", 11);
  identify(row, "a1", "org/new");
  const Tracked joined = identify(must(store.track("org/old", "main", {3}, at(1))), "a1", "org/new");
  EXPECT_EQ(joined.id, row.id);
  EXPECT_EQ(joined.head, sha(12));
  EXPECT_EQ(joined.history.revisions, 3);
  EXPECT_THAT(rows(), ElementsAre("org/new@main a1 12 open"));
}

TEST_F(Identify, AFormerNameNeverSeenBeforeIsAnAliasFromThenOn) {
  identify(must(store.track("org/old", "main", {}, at(0))), "a1", "org/new");
  EXPECT_THAT(rows(), ElementsAre("org/new@main a1 - open"));
  EXPECT_EQ(must(store.find("org/old")).name, "org/new");
  EXPECT_THAT(events(), IsEmpty());
}

TEST_F(Identify, ARenameOntoANameThatIsTracked) {
  const Tracked b = with_history("org/b", "b1", 21);
  const Tracked a = with_history("org/a", "a1", 11);
  identify(a, "a1", "org/b");  // b1 was deleted or renamed, then a1 renamed to org/b
  EXPECT_THAT(rows(), ElementsAre("org/b@main a1 12 open", "(org/b@main b1 22 taken-over)"));
  EXPECT_THAT(events(), ElementsAre("org/b taken-over: Its name org/b now belongs to another repository",
                                    "org/b taken-over: The name org/b belonged to another repository before",
                                    "org/b renamed: org/a is now org/b"));
  EXPECT_EQ(must(store.find("org/b")).hub_id, "a1");
  EXPECT_TRUE(must(store.has_revision(b.repository, sha(22))));
}

TEST_F(Identify, ATakenOverRepositoryFoundAgainUnderAnotherName) {
  const Tracked a = with_history("org/a", "a1", 11);
  identify(a, "b2", "org/a");
  const Tracked back = identify(must(store.track("org/moved", "main", {}, at(2))), "a1", "org/moved");
  EXPECT_EQ(back.head, sha(12)) << "with its history";
  EXPECT_THAT(rows(), ElementsAre("org/a@main b2 - open", "org/moved@main a1 12 open"));
  EXPECT_EQ(events().back(), "org/moved renamed: org/a is now org/moved");
}

TEST_F(Identify, NamesThatChangeHandsAndBack) {
  const Tracked a = with_history("org/a", "a1", 11);
  identify(a, "b2", "org/a");
  const Tracked back = identify(must(store.find("org/a")), "a1", "org/a");
  EXPECT_EQ(back.head, sha(12));
  EXPECT_THAT(rows(), ElementsAre("org/a@main a1 12 open", "(org/a@main b2 - taken-over)"));
  EXPECT_EQ(events().size(), 4U);
  EXPECT_THAT(must(store.check()), IsEmpty());
}

TEST_F(Identify, ARowRemovedMeanwhileIsNotFound) {
  const Tracked row = must(store.track("org/a", "main", {}, at(0)));
  must(store.untrack("org/a", true));
  EXPECT_EQ(store.identify(row.id, "a1", "org/a", at(1)).error().kind, ErrorKind::not_found);
}

}  // namespace
}  // namespace modelwatch::storage
