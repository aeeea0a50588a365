#include "advisories/osv/ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "advisories/manifest/digest.h"
#include "advisories/osv/touched_files.h"
#include "history.h"
#include "samples.h"

namespace modelwatch::advisories {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Parts = std::map<Part, std::string>;
constexpr Part C = Part::config, T = Part::chat_template;

/// Revisions are named by small numbers; `c2` … read as in prose.
const std::string c1 = sha(1), c2 = sha(2), c3 = sha(3), c4 = sha(4), c5 = sha(5);

History started(Impact minimum = Impact::legal) {
  History history(minimum);
  history.baseline({c1, "", {{C, "A"}, {T, "X"}}, {}, {}});
  return history;
}

TEST(Ledger, OfABaselineIsEmpty) {
  LedgerInput input;
  input.step.sha = c1;
  EXPECT_THAT(advance(input, {}), IsEmpty());
}

TEST(Ledger, OpensOneAdvisoryPerChangedPart) {
  History history = started();
  const auto written = history.commit({c2, "", {{C, "B"}, {T, "Y"}}, {}, {}});
  ASSERT_THAT(written, SizeIs(2));
  for (const Advisory& a : written) {
    EXPECT_EQ(a.introduced, c2);
    EXPECT_EQ(a.from.revision, c1);
    EXPECT_THAT(a.versions, ElementsAre(c2));
    EXPECT_THAT(a.closings, IsEmpty());
    EXPECT_EQ(a.published, a.modified);
    EXPECT_EQ(a.id, advisory_id("x_MODELWATCH", 2026, "org/name", c2, a.part));
  }
  EXPECT_THAT(written[0].related, ElementsAre(written[1].id));
  EXPECT_THAT(written[1].related, ElementsAre(written[0].id));
}

TEST(Ledger, ExtendsWhatKeepsItsStateAndSupersedesWhatLeavesIt) {
  History history = started();
  const Advisory opened = history.commit({c2, "", {{C, "B"}, {T, "X"}}, {}, {}}).at(0);
  const auto quiet = history.commit({c3, "", {{C, "B"}, {T, "X"}}, {}, {C}});  // bytes only
  ASSERT_THAT(quiet, SizeIs(1));
  EXPECT_THAT(quiet[0].versions, ElementsAre(c2, c3));
  EXPECT_GT(quiet[0].modified, opened.modified);
  EXPECT_EQ(quiet[0].significant_at, opened.significant_at);

  const auto written = history.commit({c4, "", {{C, "D"}, {T, "X"}}, {}, {}});
  ASSERT_THAT(written, SizeIs(2));
  const Advisory &next = written[0], &closed = written[1];
  EXPECT_EQ(closed.id, opened.id);
  EXPECT_THAT(closed.closings, ElementsAre(Closing{c4, "superseded", next.id, true}));
  EXPECT_THAT(closed.versions, ElementsAre(c2, c3));
  EXPECT_EQ(closed.significant_at, closed.modified);
  EXPECT_THAT(closed.related, ElementsAre(next.id));
  EXPECT_THAT(next.related, ElementsAre(closed.id));
  EXPECT_THAT(next.reverts, IsEmpty());
}

TEST(Ledger, KnowsAReturnToAnEarlierState) {
  History history = started();
  const Advisory there = history.commit({c2, "", {{C, "B"}}, {}, {}}).at(0);
  const auto written = history.commit({c3, "", {{C, "A"}}, {}, {}});
  EXPECT_EQ(written[0].reverts, there.id);
  EXPECT_EQ(written[0].equals_revision, c1);
  EXPECT_THAT(history.advisory(there.id).closings, ElementsAre(Closing{c3, "reverted", written[0].id, true}));
}

TEST(Ledger, KnowsARemoval) {
  History history = started();
  const Advisory added = history.commit({c2, "", {{C, "A"}, {T, "X"}, {Part::adapter, "P"}}, {}, {}}).at(0);
  EXPECT_EQ(added.kind, "added");
  EXPECT_THAT(added.from.state, IsEmpty());
  const auto written = history.commit({c3, "", {{C, "A"}, {T, "X"}}, {}, {}});
  EXPECT_EQ(written[0].kind, "removed");
  EXPECT_EQ(written[0].reverts, added.id);
  EXPECT_EQ(history.advisory(added.id).closings.at(0).by, "removed");
  const auto back = history.commit({c4, "", {{C, "A"}, {T, "X"}, {Part::adapter, "P"}}, {}, {}});
  EXPECT_EQ(back[0].equals_revision, c2);
  EXPECT_EQ(history.advisory(written[0].id).closings.at(0).by, "reverted");
}

TEST(Ledger, ClosesWithoutASuccessorBelowTheMinimum) {
  History history = started(Impact::breaking);
  const Advisory there = history.commit({c2, "", {{C, "B"}, {T, "X"}}, {{C, Impact::breaking}}, {}}).at(0);
  const auto written = history.commit({c3, "", {{C, "D"}, {T, "X"}}, {{C, Impact::resource}}, {}});
  ASSERT_THAT(written, SizeIs(1));
  EXPECT_THAT(written[0].closings, ElementsAre(Closing{c3, "superseded", "", true}));
  EXPECT_EQ(written[0].id, there.id);
  EXPECT_THAT(history.commit({c4, "", {{C, "E"}, {T, "X"}}, {{C, Impact::unknown}}, {}}), SizeIs(1)) << "unknown always gets one";
}

TEST(Ledger, SetsACosmeticAdvisoryBesideTheGraveOneWhereAsked) {
  History history = started(Impact::cosmetic);
  const Advisory grave = history.commit({c2, "", {{C, "B"}, {T, "X"}}, {}, {}}).at(0);
  const Advisory cosmetic = history.commit({c3, "", {{C, "B"}, {T, "X"}}, {}, {C}}).at(0);
  EXPECT_EQ(cosmetic.impact, Impact::cosmetic);
  EXPECT_THAT(history.listing(c3), SizeIs(2));
  history.commit({c4, "", {{C, "B"}, {T, "X"}}, {}, {C}});
  EXPECT_THAT(history.listing(c4), SizeIs(2));
  EXPECT_THAT(history.advisory(cosmetic.id).closings, SizeIs(1));
  EXPECT_THAT(history.advisory(grave.id).versions, ElementsAre(c2, c3, c4));
}

TEST(Ledger, ClosesWhatAForcePushLeft) {
  History history = started();
  const Advisory kept = history.commit({c2, "", {{C, "B"}, {T, "X"}}, {}, {}}).at(0);
  const Advisory left = history.commit({c3, "", {{C, "B"}, {T, "Y"}}, {}, {}}).at(0);
  const auto written = history.force({c4, c2, {{C, "B"}, {T, "Z"}}, {}, {}}, c2);
  const Advisory& closed = history.advisory(left.id);
  EXPECT_EQ(closed.closings.at(0).by, "rewritten");
  EXPECT_TRUE(closed.history_rewritten);
  EXPECT_THAT(history.advisory(kept.id).versions, ElementsAre(c2, c3, c4));
  EXPECT_THAT(history.advisory(kept.id).closings, IsEmpty());
  EXPECT_THAT(history.advisory(kept.id).reintroduced, IsEmpty()) << "the new line comes from the common commit";
  ASSERT_EQ(written[1].part, Part::repository);
  EXPECT_EQ(written[1].kind, "history-rewritten");
  EXPECT_EQ(written[1].introduced, c4);
}

TEST(Ledger, KeepsWhatASuperSquashKeeps) {
  History history = started();
  const Advisory kept = history.commit({c2, "", {{C, "B"}, {T, "X"}}, {}, {}}).at(0);
  history.force({c3, "", {{C, "B"}, {T, "X"}}, {}, {}}, "");
  const Advisory& a = history.advisory(kept.id);
  EXPECT_THAT(a.versions, ElementsAre(c2, c3));
  EXPECT_THAT(a.reintroduced, ElementsAre(c3));
  EXPECT_THAT(a.closings, IsEmpty());
  EXPECT_TRUE(a.history_rewritten);
  EXPECT_EQ(history.listing(c3).size(), 2u) << "config, and the rewriting itself";
}

TEST(Ledger, GoesBackToAKnownRevisionAndForthAgain) {
  History history = started();
  const Advisory there = history.commit({c2, "", {{C, "B"}, {T, "X"}}, {}, {}}).at(0);
  EXPECT_THAT(history.go_to(c1), SizeIs(1));
  EXPECT_THAT(history.advisory(there.id).closings, ElementsAre(Closing{c1, "rewritten", "", false}));
  history.go_to(c2);
  EXPECT_THAT(history.advisory(there.id).closings, IsEmpty());
  EXPECT_THAT(history.go_to(c2), IsEmpty()) << "nothing moved";
  history.commit({c3, "", {{C, "B"}, {T, "X"}}, {}, {}});
  EXPECT_THAT(history.advisory(there.id).versions, ElementsAre(c2, c3));
}

TEST(Ledger, TakesSixteenDigitsWhereAnIdIsTaken) {
  Diff diff;
  diff.parts.push_back({C, Impact::breaking, "modified", "", {}});
  LedgerInput input;
  input.repository.name = "org/name";
  input.step = {c2, c1, "refs/heads/main", at("2026-03-01T00:00:00Z"), false, ""};
  input.diff = &diff;
  const std::string id = advance(input, {}).at(0).id;
  input.taken = [&](const std::string& asked) { return asked == id; };
  const std::string longer = advance(input, {}).at(0).id;
  EXPECT_EQ(longer.substr(0, id.size()), id);
  EXPECT_EQ(longer.size(), id.size() + 4);
}

TEST(Ledger, SaysThePlanOnceAndBoundsWhatAFindingCarries) {
  Diff diff;
  Finding finding;
  finding.before = std::string(10'000, 'x');
  finding.after = "short";
  diff.parts = {{C, Impact::breaking, "modified", "", std::vector<Finding>(300, finding)},
                {Part::weights, Impact::behaviour, "modified", "", {}},
                {T, Impact::behaviour, "modified", "", {}}};
  diff.plan = json::Object{{"moved", json::Array{"kv_per_token"}}};
  LedgerInput input;
  input.repository.name = "org/name";
  input.step = {c2, c1, "refs/heads/main", {}, false, ""};
  input.diff = &diff;
  const auto written = advance(input, {});
  ASSERT_THAT(written, SizeIs(3));
  EXPECT_FALSE(written[0].plan.is_null());
  EXPECT_TRUE(written[1].plan.is_null());
  EXPECT_TRUE(written[2].plan.is_null());
  EXPECT_EQ(written[0].findings.size(), kMostFindings);
  EXPECT_EQ(written[0].findings_total, 300u);
  EXPECT_FALSE(written[0].findings[0].before);
  EXPECT_TRUE(written[0].findings[0].after);
  EXPECT_EQ(*written[0].findings[0].evidence.find("before_bytes"), json::Value(10'002));
  diff.parts.erase(diff.parts.begin());
  EXPECT_FALSE(advance(input, {})[0].plan.is_null()) << "weights say it where the config did not change";
}

struct InMemory : Contents {
  std::map<std::string, std::string> files;
  std::variant<Bytes, NotRead> read(const ListedFile& file) const override {
    const auto found = files.find(file.path);
    if (found == files.end()) return NotRead{"not here"};
    return std::make_shared<const std::string>(found->second);
  }
};

TEST(TouchedFiles, AreThoseOfThePartAndThoseItsFindingsName) {
  auto old_bytes = std::make_shared<InMemory>(), new_bytes = std::make_shared<InMemory>();
  old_bytes->files = {{"tokenizer_config.json", "{}"}};
  new_bytes->files = {{"tokenizer_config.json", "{ }"}, {"chat_template.jinja", "cut"}};
  const LfsPointer lfs{std::string(64, 'e'), 9, 130};
  const Snapshot before{Listing({{"tokenizer_config.json", "1", 2, {}}, {"README.md", "7", 3, {}}}), old_bytes};
  const Snapshot after{Listing({{"tokenizer_config.json", "2", 3, {}}, {"README.md", "7", 3, {}}, {"chat_template.jinja", "3", 99, {}},
                                {"additional_chat_templates/x.jinja", "4", 9, lfs}}), new_bytes};
  Change change;
  change.part = T;
  change.findings.resize(2);
  change.findings[0].path = "tokenizer_config.json";
  change.findings[0].pointer = "/chat_template";
  change.findings[1].path = "README.md";  // named, yet equal
  const TouchedFiles touched = touched_files(change, before, after);
  EXPECT_EQ(touched.total, 3u);
  EXPECT_THAT(touched.files,
              ElementsAre(TouchedFile{"additional_chat_templates/x.jinja", std::nullopt, "", std::string(64, 'e')},
                          TouchedFile{"chat_template.jinja", std::nullopt, "", ""},  // only its start was read
                          TouchedFile{"tokenizer_config.json", "/chat_template", sha256("{}"), sha256("{ }")}));
}

TEST(Events, RenameAddsANameOnce) {
  const auto now = at("2026-09-01T00:00:00Z");
  std::vector<Advisory> all = {every_shape().front().second};
  all = renamed(all, "new/name", now);
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_THAT(all[0].further_names, ElementsAre("new/name"));
  EXPECT_LT(all[0].significant_at, all[0].modified);
  EXPECT_THAT(renamed(all, "new/name", now), IsEmpty());
  EXPECT_THAT(renamed(all, kRepository, now), IsEmpty()) << "back to the first name";
}

}  // namespace
}  // namespace modelwatch::advisories
