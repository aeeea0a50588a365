#include "daemon/watch/sighting.h"

#include <gmock/gmock.h>

#include "estimator/json/writer.h"

namespace modelwatch::watch {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr storage::Time kNow{seconds{1'780'000'000}};

hub::RepositoryInfo info(const char* gated = "") {
  hub::RepositoryInfo found;
  found.hub_id = std::string(24, 'a');
  found.name = "org/name";
  found.sha = std::string(40, '1');
  found.license = "mit";
  found.gated = gated;
  return found;
}

/// "kind impact: meaning", one an event.
std::vector<std::string> said(const Sighting& sighting) {
  std::vector<std::string> lines;
  for (const auto& event : sighting.events) lines.push_back(event.kind + " " + std::string(name(event.impact)) + ": " + event.meaning);
  return lines;
}

storage::Tracked known(const hub::RepositoryInfo& as, const std::vector<hub::Ref>& refs = {}) { return seen({}, as, &refs, kNow).tracked; }

TEST(Sighting, TheFirstIsNoNews) {
  const Sighting first = seen({}, info("auto"), nullptr, kNow);
  EXPECT_THAT(first.events, IsEmpty());
  EXPECT_EQ(first.tracked.access, "gated");
}

TEST(Sighting, AccessThatChangesIs) {
  struct Case {
    const char* name;
    void (*change)(hub::RepositoryInfo&);
    const char* access;
    const char* event;
  };
  const Case cases[] = {
      {"gated", [](auto& i) { i.gated = "manual"; }, "gated", "gated legal: Access now needs an account and the owner's conditions accepted"},
      {"private", [](auto& i) { i.is_private = true; }, "private", "private breaking: The repository is now private: others cannot read it"},
      {"disabled", [](auto& i) { i.disabled = true; }, "disabled", "disabled breaking: The Hub has disabled the repository: its files cannot be read"},
  };
  for (const Case& c : cases) {
    hub::RepositoryInfo changed = info();
    c.change(changed);
    const Sighting sighting = seen(known(info()), changed, nullptr, kNow);
    EXPECT_THAT(said(sighting), ElementsAre(c.event)) << c.name;
    EXPECT_EQ(sighting.tracked.access, c.access);
    EXPECT_THAT(seen(sighting.tracked, changed, nullptr, kNow).events, IsEmpty()) << "told once: " << c.name;
    EXPECT_EQ(seen(sighting.tracked, info(), nullptr, kNow).events.size(), 1U) << "and told when it ends: " << c.name;
  }
  EXPECT_THAT(said(seen(known(info("auto")), info("manual"), nullptr, kNow)), ElementsAre("gated legal: Access is now granted by hand"));
}

TEST(Sighting, ALicenceCountsOnlyWhereNoCommitCarriesIt) {
  hub::RepositoryInfo other = info();
  other.license = "apache-2.0";
  EXPECT_THAT(said(seen(known(info()), other, nullptr, kNow)),
              ElementsAre("license-changed legal: The licence the Hub shows changed without a commit: mit → apache-2.0"));
  other.sha = std::string(40, '2');
  EXPECT_THAT(seen(known(info()), other, nullptr, kNow).events, IsEmpty());
}

TEST(Sighting, TagsThatMove) {
  const std::vector<hub::Ref> before = {{"main", "refs/heads/main", "a"}, {"v1", "refs/tags/v1", "a"}, {"v2", "refs/tags/v2", "b"}};
  const std::vector<hub::Ref> after = {{"main", "refs/heads/main", "c"}, {"v1", "refs/tags/v1", "c"}, {"v3", "refs/tags/v3", "c"}};
  EXPECT_THAT(said(seen(known(info(), before), info(), &after, kNow)),
              ElementsAre("tag-moved unknown: Tag v1 moved to another commit: pins at it now load other files",
                          "tag-removed breaking: Tag v2 was removed: pins at it no longer resolve",
                          "tag-added cosmetic: Tag v3 was added"));
}

TEST(Sighting, GoneNeedsManyMissesOverTime) {
  storage::Tracked row = known(info());
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(may_be_gone(row, 3, seconds{3600}, kNow + seconds{3600 * i}));
    row = missed(row, kNow + seconds{1800 * i});
  }
  EXPECT_EQ(row.first_miss, kNow);
  EXPECT_FALSE(may_be_gone(row, 3, seconds{3600}, kNow + seconds{3599}));
  EXPECT_TRUE(may_be_gone(row, 3, seconds{3600}, kNow + seconds{3600}));
  const Sighting lost = gone(row, kNow);
  EXPECT_EQ(lost.tracked.access, "gone");
  EXPECT_EQ(lost.events.size(), 1U);
  EXPECT_FALSE(may_be_gone(lost.tracked, 3, seconds{3600}, kNow + seconds{9999})) << "told once";
  const Sighting back = seen(lost.tracked, info(), nullptr, kNow);
  EXPECT_THAT(said(back), ElementsAre("back cosmetic: The repository is found again"));
  EXPECT_EQ(back.tracked.misses, 0);
}

TEST(Sighting, FullNamesOfRefs) {
  storage::Tracked row = known(info(), {{"v1", "refs/tags/v1", "a"}, {"dev", "refs/heads/dev", "a"}});
  for (const auto& [ref, full] : std::initializer_list<std::pair<const char*, const char*>>{
           {"main", "refs/heads/main"}, {"v1", "refs/tags/v1"}, {"dev", "refs/heads/dev"}, {"refs/pr/3", "refs/pr/3"}}) {
    row.ref = ref;
    EXPECT_EQ(full_ref(row), full);
  }
}

}  // namespace
}  // namespace modelwatch::watch
