#include "daemon/watch/schedule.h"

#include <gmock/gmock.h>

#include <map>

namespace modelwatch::watch {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr Time kNow{seconds{1'780'000'000}};
constexpr seconds kDay{24 * 3600};

storage::Tracked tracked_row(std::int64_t id) {
  storage::Tracked tracked;
  tracked.id = id;
  return tracked;
}

storage::Polled row(std::int64_t id, std::optional<Time> due = {}) {
  return {id, "org/model-" + std::to_string(id), "main", due};
}

std::vector<std::int64_t> ids(const std::vector<Schedule::Entry>& entries) {
  std::vector<std::int64_t> all;
  for (const auto& entry : entries) all.push_back(entry.tracked);
  return all;
}

struct WaitCase {
  const char* name;
  std::optional<seconds> quiet;
  int misses;
  const char* access;
  seconds low, high;
};

class NextCheck : public testing::TestWithParam<WaitCase> {};

TEST_P(NextCheck, WaitsBetweenFloorAndCeiling) {
  const WaitCase& c = GetParam();
  const Pace pace{seconds{600}, seconds{3600}};
  std::map<std::int64_t, int> waits;
  for (std::int64_t id = 1; id <= 1000; ++id) {
    storage::Tracked tracked = tracked_row(id);
    if (c.quiet) tracked.last_change = kNow - *c.quiet;
    tracked.misses = c.misses;
    tracked.access = c.access;
    const seconds wait = next_check(tracked, pace, kNow) - kNow;
    EXPECT_GE(wait, c.low) << id;
    EXPECT_LE(wait, c.high) << id;
    ++waits[wait.count()];
  }
  EXPECT_GT(waits.size(), 50U) << "spread, not in step";
}

INSTANTIATE_TEST_SUITE_P(
    Waits, NextCheck,
    testing::Values(WaitCase{"never_changed", {}, 0, "open", seconds{540}, seconds{660}},
                    WaitCase{"just_changed", seconds{0}, 0, "open", seconds{540}, seconds{660}},
                    WaitCase{"quiet_for_ten_hours", seconds{36000}, 0, "open", seconds{1620}, seconds{1980}},
                    WaitCase{"quiet_for_a_month", kDay * 30, 0, "open", seconds{3240}, seconds{3960}},
                    WaitCase{"gated_is_asked_as_others", kDay * 30, 0, "gated", seconds{3240}, seconds{3960}},
                    WaitCase{"missed_once_comes_back_soon", kDay * 30, 1, "open", seconds{540}, seconds{660}},
                    WaitCase{"disabled_once_a_day", seconds{0}, 0, "disabled", kDay * 9 / 10, kDay * 11 / 10},
                    WaitCase{"gone_once_a_day", seconds{0}, 9, "gone", kDay * 9 / 10, kDay * 11 / 10}),
    [](const auto& test) { return test.param.name; });

TEST(NextCheck, IsTheSameForTheSameInput) {
  EXPECT_EQ(next_check(tracked_row(7), {}, kNow), next_check(tracked_row(7), {}, kNow));
  EXPECT_NE(next_check(tracked_row(7), {}, kNow), next_check(tracked_row(8), {}, kNow));
}

TEST(Schedule, TakesTheMostOverdueFirstAndEachOnlyOnce) {
  Schedule schedule;
  schedule.replace({row(1, kNow - seconds{5}), row(2, kNow - seconds{50}), row(3, kNow + seconds{9}), row(4)}, kNow);
  EXPECT_THAT(ids(schedule.take(kNow, 2)), ElementsAre(2, 1));
  EXPECT_THAT(ids(schedule.take(kNow, 9)), ElementsAre(4));
  EXPECT_THAT(schedule.take(kNow, 9), IsEmpty());
  EXPECT_EQ(schedule.running(), 3U);
  EXPECT_EQ(schedule.next(), kNow + seconds{9});
  schedule.finished({2, kNow + seconds{4}, false, {}}, kNow);
  EXPECT_EQ(schedule.next(), kNow + seconds{4});
}

TEST(Schedule, FollowsTheDatabase) {
  Schedule schedule;
  schedule.replace({row(1), row(2), row(3)}, kNow);
  ASSERT_THAT(ids(schedule.take(kNow, 1)), ElementsAre(1));
  schedule.replace({row(3, kNow + seconds{60}), row(4)}, kNow);  // 1 removed while it is being checked, 2 before
  EXPECT_THAT(ids(schedule.take(kNow, 9)), ElementsAre(4));
  schedule.finished({1, kNow, false, {}}, kNow);
  EXPECT_THAT(schedule.take(kNow, 9), IsEmpty()) << "a removed one does not come back";
  EXPECT_EQ(schedule.size(), 2U);
  EXPECT_THAT(ids(schedule.take(kNow + seconds{60}, 9)), ElementsAre(3));
}

TEST(Schedule, LeavesAFifthOfTheWindow) {
  Schedule schedule;
  std::vector<storage::Polled> rows;
  for (int id = 1; id <= 100; ++id) rows.push_back(row(id));
  schedule.replace(rows, kNow);
  schedule.observe({100, 50, kNow + seconds{200}});
  EXPECT_EQ(schedule.take(kNow, 100).size(), 30U);
  EXPECT_THAT(schedule.take(kNow, 100), IsEmpty());
  EXPECT_EQ(schedule.next(), kNow + seconds{200});
  EXPECT_EQ(schedule.take(kNow + seconds{200}, 100).size(), 70U) << "a new window";
}

TEST(Schedule, PausesWhereTheHubRefusesEverybodyButNotForOne) {
  Schedule schedule;
  schedule.replace({row(1), row(2), row(3), row(4)}, kNow);
  schedule.take(kNow, 3);
  schedule.finished({1, kNow, true, {}}, kNow);
  schedule.finished({2, kNow, true, {}}, kNow);
  EXPECT_EQ(schedule.next(), kNow) << "two in a row may be bad luck";
  schedule.finished({3, kNow, true, {}}, kNow);
  EXPECT_EQ(schedule.next(), kNow + seconds{5});
  EXPECT_THAT(schedule.take(kNow + seconds{4}, 9), IsEmpty());

  Time now = kNow;
  for (int i = 0; i < 12; ++i) {
    now = *schedule.next();
    const auto taken = schedule.take(now, 1);
    ASSERT_EQ(taken.size(), 1U);
    schedule.finished({taken[0].tracked, now, true, {}}, now);
  }
  EXPECT_EQ(*schedule.next() - now, seconds{300}) << "doubles up to five minutes";

  now = *schedule.next();
  const auto taken = schedule.take(now, 1);
  schedule.finished({taken[0].tracked, now, false, {}}, now);
  EXPECT_EQ(schedule.next(), now) << "one good answer ends the pause";
}

TEST(Schedule, NobodyAsksBeforeTheHubAllowsIt) {
  Schedule schedule;
  schedule.replace({row(1), row(2)}, kNow);
  schedule.take(kNow, 1);
  schedule.finished({1, kNow + seconds{30}, false, kNow + seconds{77}}, kNow);
  EXPECT_EQ(schedule.next(), kNow + seconds{77});
  EXPECT_THAT(schedule.take(kNow + seconds{76}, 9), IsEmpty());
  EXPECT_EQ(schedule.take(kNow + seconds{77}, 9).size(), 2U);
}

// A day of ten thousand repositories on the anonymous quota, in steps of a second.
TEST(Schedule, TenThousandRepositoriesKeepWithinTheQuota) {
  constexpr std::int64_t kLimit = 3000;
  constexpr seconds kWindow{300};
  Schedule schedule;
  std::vector<storage::Polled> polled;
  std::vector<storage::Tracked> rows;
  for (int id = 1; id <= 10'000; ++id) {
    polled.push_back(row(id));
    rows.push_back(tracked_row(id));
    rows.back().last_change = kNow - kDay * (id % 30);
  }
  schedule.replace(polled, kNow);
  std::int64_t remaining = kLimit, lowest = kLimit;
  std::vector<int> checks(rows.size() + 1);
  for (seconds t{0}; t < seconds{7200}; ++t) {
    const Time now = kNow + t;
    if (t % kWindow == seconds{0}) remaining = kLimit;
    for (const auto& entry : schedule.take(now, 64)) {
      lowest = std::min(lowest, --remaining);
      ++checks[static_cast<std::size_t>(entry.tracked)];
      const Time resets = now - t % kWindow + kWindow;
      schedule.observe({kLimit, remaining, resets});
      schedule.finished({entry.tracked, next_check(rows[static_cast<std::size_t>(entry.tracked - 1)], {}, now), false, {}}, now);
    }
  }
  EXPECT_GE(lowest, kLimit / 5);
  EXPECT_GE(*std::min_element(checks.begin() + 1, checks.end()), 2) << "nobody starves";
  EXPECT_LE(*std::max_element(checks.begin() + 1, checks.end()), 14) << "nobody is asked more often than the floor";
}

}  // namespace
}  // namespace modelwatch::watch
