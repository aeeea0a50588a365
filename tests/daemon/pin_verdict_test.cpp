#include "daemon/cli/pin_verdict.h"

#include <gtest/gtest.h>

#include <sstream>

#include "daemon/cli/check_report.h"
#include "estimator/json/writer.h"

namespace modelwatch::cli {
namespace {

using advisories::Impact;
using advisories::Part;

std::string sha(char digit) { return std::string(40, digit); }

storage::ChangeRow change(char revision, Part part, Impact impact, const char* summary) {
  storage::ChangeRow row;
  row.event = "change";
  row.sha = sha(revision);
  row.part = part;
  row.impact = impact;
  row.summary = summary;
  return row;
}

/// a (oldest) … e (head): b touches the card, c breaks the config, d touches the card, e changes tokenizer and config.
PinnedHistory history() {
  PinnedHistory history;
  history.tracked.name = "org/name";
  history.tracked.hub_id = "65d0f1e2c3b4a59687f0e1d2";
  history.tracked.head = sha('e');
  for (const char digit : {'e', 'd', 'c', 'b', 'a'}) {
    storage::RevisionRow row;
    row.sha = sha(digit);
    history.revisions.push_back(row);
  }
  history.changes[sha('b')] = {change('b', Part::card, Impact::cosmetic, "wording")};
  history.changes[sha('c')] = {change('c', Part::config, Impact::breaking, "heads change")};
  history.changes[sha('d')] = {change('d', Part::card, Impact::cosmetic, "more wording")};
  history.changes[sha('e')] = {change('e', Part::tokenizer, Impact::behaviour, "a token"), change('e', Part::config, Impact::resource, "length")};
  return history;
}

advisories::Pin pin(const std::string& revision) {
  advisories::Pin pin;
  pin.repository = "org/name";
  pin.revision = revision;
  pin.at = {3, 7};
  return pin;
}

PinVerdict judged(const std::string& revision, const PinnedHistory& by = history(), Impact below = Impact::breaking) {
  return judge("models.purls", pin(revision), &by, below);
}

TEST(PinVerdict, OfTheHeadIsCurrent) {
  const PinVerdict verdict = judged(sha('e'));
  EXPECT_EQ(verdict.status, PinStatus::current);
  EXPECT_EQ(verdict.behind, 0);
  EXPECT_FALSE(verdict.impact);
  EXPECT_FALSE(verdict.fails(Impact::cosmetic, {}));
}

TEST(PinVerdict, CountsWhatCameSince) {
  const PinVerdict verdict = judged(sha('a'));
  EXPECT_EQ(verdict.status, PinStatus::behind);
  EXPECT_EQ(verdict.behind, 4);
  EXPECT_EQ(verdict.impact, Impact::breaking);
  ASSERT_EQ(verdict.parts.size(), 3u);
  EXPECT_EQ(verdict.parts[0].part, Part::config);
  EXPECT_EQ(verdict.parts[0].revisions, 2);
  EXPECT_EQ(verdict.parts[0].summary, "heads change");
  EXPECT_EQ(verdict.parts[2].summary, "more wording");
  EXPECT_EQ(verdict.newest_below, sha('b'));
  EXPECT_EQ(verdict.newest_below_revisions, 1);
  EXPECT_TRUE(verdict.fails(Impact::breaking, {}));
  EXPECT_FALSE(verdict.fails(Impact::security, {}));
  EXPECT_FALSE(verdict.fails({}, {}));
}

TEST(PinVerdict, NamesTheNewestRevisionBelowAnImpact) {
  EXPECT_EQ(judged(sha('c')).newest_below, sha('e'));
  EXPECT_EQ(judged(sha('c'), history(), Impact::behaviour).newest_below, sha('d'));
  EXPECT_EQ(judged(sha('b')).newest_below, "") << "the next one breaks";
}

TEST(PinVerdict, IgnoresWhatTheRevisionItselfBrought) {
  const PinVerdict verdict = judged(sha('c'));
  EXPECT_EQ(verdict.impact, Impact::behaviour);
}

TEST(PinVerdict, TakesAbbreviationsAndUpperCase) {
  EXPECT_EQ(judged("ccccccc").revision, sha('c'));
  EXPECT_EQ(judged("CCCCCCC").status, PinStatus::behind);
  PinnedHistory two = history();
  two.revisions[0].sha = "ccccccc" + std::string(33, '0');
  EXPECT_EQ(judged("ccccccc", two).status, PinStatus::unknown) << "ambiguous";
}

TEST(PinVerdict, OfWhatIsNoCommitIsMoving) {
  for (const char* revision : {"", "main", "v1.0", "abc123"}) {
    const PinVerdict verdict = judged(revision);
    EXPECT_EQ(verdict.status, PinStatus::moving) << revision;
    EXPECT_FALSE(verdict.fails(Impact::cosmetic, Impact::cosmetic)) << revision;
  }
}

TEST(PinVerdict, FailsForWhatIsGoneOrTakenOver) {
  PinnedHistory gone = history();
  gone.tracked.access = "gone";
  EXPECT_EQ(judged(sha('e'), gone).status, PinStatus::gone);
  EXPECT_TRUE(judged(sha('e'), gone).fails({}, {}));

  PinnedHistory taken = history();
  taken.tracked.facts.set("took_over", json::Object{{"hub_id", "000000000000000000000000"}, {"head", sha('9')}});
  EXPECT_EQ(judged(sha('9'), taken).status, PinStatus::taken_over);
  EXPECT_EQ(judged("main", taken).status, PinStatus::taken_over);
  EXPECT_EQ(judged(sha('e'), taken).status, PinStatus::current) << "a revision of the newcomer was chosen knowingly";

  advisories::Pin locked = pin(sha('e'));
  locked.hub_id = "000000000000000000000000";
  const PinnedHistory present = history();
  EXPECT_EQ(judge("modelwatch.lock", locked, &present, Impact::breaking).status, PinStatus::taken_over);
}

TEST(PinVerdict, OfWhatWasNeverSeenIsUnknown) {
  EXPECT_EQ(judged(sha('0')).status, PinStatus::unknown);
  EXPECT_EQ(judge("f", pin(sha('a')), nullptr, Impact::breaking).reason, "not tracked");
}

TEST(PinVerdict, SaysWhenTheRepositoryHasAnotherName) {
  PinnedHistory renamed = history();
  renamed.tracked.name = "org/new-name";
  EXPECT_EQ(judged(sha('a'), renamed).reason, "renamed to org/new-name");
}

TEST(CheckReport, IsSilentWhereEverythingIsCurrent) {
  CheckReport report;
  report.pins = {judged(sha('e'))};
  std::ostringstream out, err;
  Console console{out, err};
  print_check(report, console);
  EXPECT_EQ(out.str() + err.str(), "");
  EXPECT_FALSE(report.failed());
}

TEST(CheckReport, ShowsWhatNeedsALook) {
  CheckReport report;
  report.fail_on = Impact::breaking;
  report.pins = {judged(sha('a')), judged("main")};
  report.problems = {{"x.json", {2, 1}, "trailing comma"}};
  std::ostringstream out, err;
  Console console{out, err};
  print_check(report, console);
  EXPECT_EQ(out.str(),
            "models.purls:3:7: org/name@aaaaaaaaaa: behind by 4 revisions, breaking\n"
            "  config: breaking: heads change\n"
            "  tokenizer: behaviour: a token\n"
            "  card: cosmetic: more wording\n"
            "  newest without a change that is breaking or graver: " + sha('b') + "\n"
            "models.purls:3:7: org/name@main: moving (a branch or tag moves: not a commit)\n");
  EXPECT_EQ(err.str(), "x.json:2:1: trailing comma\n");
  EXPECT_TRUE(report.failed());
  const json::Value document = to_json(report);
  EXPECT_EQ(*document.find("schema")->string(), "modelwatch/check/1");
  EXPECT_EQ(document.find("pins")->array()->size(), 2u);
  EXPECT_EQ(*json::at_pointer(document, "/pins/0/behind/parts/0/impact")->string(), "breaking");
  EXPECT_EQ(*json::at_pointer(document, "/pins/0/newest_below/revision")->string(), sha('b'));
}

}  // namespace
}  // namespace modelwatch::cli
