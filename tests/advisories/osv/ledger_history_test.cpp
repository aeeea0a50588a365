// Random histories: what must hold after every step, whatever happened.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "estimator/json/writer.h"
#include "history.h"
#include "samples.h"

namespace modelwatch::advisories {
namespace {

using namespace testing;

constexpr Part kTried[] = {Part::config, Part::chat_template, Part::weights};
constexpr Impact kTriedImpacts[] = {Impact::unknown, Impact::legal, Impact::resource, Impact::behaviour, Impact::breaking};

class Walk {
 public:
  Walk(unsigned seed, Impact minimum, bool rewrites) : history(minimum), random_(seed), rewrites_(rewrites) {
    history.baseline({next_sha(), "", {{Part::config, "A"}, {Part::chat_template, "A"}}, {}, {}});
  }

  void step() {
    const std::map<std::string, Advisory> before = history.book();
    const unsigned kind = pick(rewrites_ ? 12 : 8);
    std::vector<Advisory> written;
    if (kind < 8)
      written = history.commit(changed(history.head(), ""));
    else if (kind == 8)
      written = history.force(changed(history.head(), ""), "");  // super-squash: an orphan
    else if (kind == 9)
      written = history.go_to(any_revision());
    else
      written = branch_off();
    check_clock(before, written);
    check_matches();
  }

  History history;

 private:
  unsigned pick(unsigned n) { return std::uniform_int_distribution<unsigned>(0, n - 1)(random_); }
  std::string next_sha() { return sha(++count_); }
  std::string any_revision() { return history.revisions()[pick(unsigned(history.revisions().size()))].sha; }

  /// A revision like `from` with a few parts in other states, and a few touched without meaning.
  History::Revision changed(const std::string& from, const std::string& parent) {
    History::Revision revision{next_sha(), parent, history.revision(from).parts, {}, {}};
    for (const Part part : kTried) {
      const unsigned what = pick(6);
      if (what == 0) revision.parts[part] = std::string(1, char('A' + pick(3)));
      if (what == 1 && pick(3) == 0) revision.parts.erase(part);
      if (what == 2) revision.retouched.push_back(part);
      revision.impacts[part] = kTriedImpacts[pick(5)];
    }
    return revision;
  }

  std::vector<Advisory> branch_off() {
    std::string base = history.head();
    for (unsigned back = pick(3) + 1; back > 0 && !history.revision(base).parent.empty(); --back) base = history.revision(base).parent;
    if (base == history.head()) return history.commit(changed(base, ""));
    return history.force(changed(base, base), base);
  }

  void check_clock(const std::map<std::string, Advisory>& before, const std::vector<Advisory>& written) {
    std::set<std::string> once;
    for (const Advisory& a : written) {
      EXPECT_TRUE(once.insert(a.id).second) << a.id << " twice in one answer";
      EXPECT_LE(a.published, a.significant_at);
      EXPECT_LE(a.significant_at, a.modified);
      for (const std::string& other : a.related) {
        const auto& back = history.advisory(other).related;
        EXPECT_TRUE(std::count(back.begin(), back.end(), a.id)) << "related in one direction";
      }
      const auto old = before.find(a.id);
      if (old == before.end()) continue;
      EXPECT_GT(a.modified, old->second.modified);
      EXPECT_EQ(a.published, old->second.published);
      EXPECT_EQ(a.introduced, old->second.introduced);
      Advisory same = a;
      same.modified = old->second.modified;
      EXPECT_TRUE(json::write(to_osv(same, {})) != json::write(to_osv(old->second, {}))) << a.id << " written without a change";
    }
  }

  void check_matches() {
    for (const History::Revision& revision : history.revisions()) {
      std::map<std::pair<Part, bool>, int> matches;
      for (const auto& [id, a] : history.book()) {
        const bool listed = std::count(a.versions.begin(), a.versions.end(), revision.sha) > 0;
        ASSERT_EQ(listed, history.in_range(a, revision.sha)) << "list and range differ: " << id << " at " << revision.sha;
        if (!listed) continue;
        ++matches[{a.part, a.impact == Impact::cosmetic}];
        if (a.part == Part::repository) continue;
        const auto part = revision.parts.find(a.part);
        ASSERT_EQ(a.to.state, part == revision.parts.end() ? "" : part->second) << id << " lists a revision without its state";
      }
      for (const auto& [key, count] : matches) ASSERT_EQ(count, 1) << name(key.first) << " of " << revision.sha;
    }
  }

  std::mt19937 random_;
  bool rewrites_;
  unsigned count_ = 0;
};

std::string everything(const History& history) {
  std::string text;
  for (const auto& [id, a] : history.book()) text += json::write(to_osv(a, {})) + "\n";
  return text;
}

void walk(Impact minimum, bool rewrites) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    Walk one(seed, minimum, rewrites), again(seed, minimum, rewrites);
    for (int i = 0; i < 30; ++i) {
      one.step();
      again.step();
      if (::testing::Test::HasFatalFailure() || ::testing::Test::HasFailure()) return;
    }
    ASSERT_EQ(everything(one.history), everything(again.history)) << "not deterministic";
    ASSERT_FALSE(one.history.book().empty());
  }
}

TEST(LedgerHistory, LinearHoldsItsPromises) { walk(Impact::unknown, false); }
TEST(LedgerHistory, LinearHoldsItsPromisesWithAMinimum) { walk(Impact::behaviour, false); }
TEST(LedgerHistory, LinearHoldsItsPromisesWithCosmeticOnes) { walk(Impact::cosmetic, false); }
TEST(LedgerHistory, RewrittenHoldsItsPromises) { walk(Impact::unknown, true); }
TEST(LedgerHistory, RewrittenHoldsItsPromisesWithAMinimum) { walk(Impact::resource, true); }

}  // namespace
}  // namespace modelwatch::advisories
