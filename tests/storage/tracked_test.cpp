#include <gmock/gmock.h>

#include "tests/storage/database.h"

namespace modelwatch::storage {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class TrackedSet : public testing::Test {
 protected:
  std::vector<std::string> names() {
    std::vector<std::string> found;
    for (const Tracked& tracked : must(store.tracked())) found.push_back(tracked.name + "@" + tracked.ref + (tracked.polled ? "" : " off"));
    return found;
  }
  Store store = open(":memory:");
};

TEST_F(TrackedSet, AddingTwiceChangesTheHistoryOnly) {
  const Tracked first = must(store.track("org/b", "main", {20}, at(0)));
  must(store.track("org/a", "main", {std::nullopt}, at(1)));
  must(store.track("org/b", "dev", {0}, at(2)));
  const Tracked again = must(store.track("org/b", "main", {5}, at(3)));
  EXPECT_EQ(again.id, first.id);
  EXPECT_EQ(again.history.revisions, 5);
  EXPECT_EQ(must(store.find("org/a")).history.revisions, std::nullopt);
  EXPECT_THAT(names(), ElementsAre("org/a@main", "org/b@dev", "org/b@main"));
}

TEST_F(TrackedSet, RemovingStopsPollingOfEveryRefAndAddingTakesItUpAgain) {
  must(store.track("org/a", "main", {}, at(0)));
  must(store.track("org/a", "dev", {}, at(0)));
  must(store.track("org/b", "main", {}, at(0)));
  must(store.untrack("org/a", false));
  EXPECT_THAT(names(), ElementsAre("org/a@dev off", "org/a@main off", "org/b@main"));
  ASSERT_EQ(must(store.polled()).size(), 1U);
  EXPECT_EQ(must(store.polled())[0].name, "org/b");
  must(store.track("org/a", "main", {}, at(1)));
  EXPECT_EQ(must(store.polled()).size(), 2U);
}

TEST_F(TrackedSet, WhatIsNotThereIsNotFound) {
  must(store.track("org/a", "dev", {}, at(0)));
  const Error unknown = store.find("org/b").error(), other_ref = store.find("org/a").error();
  EXPECT_EQ(unknown.kind, ErrorKind::not_found);
  EXPECT_EQ(unknown.message + " | " + unknown.hint, "org/b is not tracked | modelwatch repo add org/b");
  EXPECT_EQ(other_ref.message + " | " + other_ref.hint, "org/a is tracked at dev, not at main | modelwatch repo add org/a --ref main");
  EXPECT_EQ(store.untrack("org/b", false).error().kind, ErrorKind::not_found);
  EXPECT_EQ(store.untrack("org/b", true).error().kind, ErrorKind::not_found);
}

TEST_F(TrackedSet, PollingOrderIsByTime) {
  for (const auto& [name, seconds] : {std::pair{"org/a", 30}, std::pair{"org/b", 10}, std::pair{"org/c", 20}}) {
    Tracked tracked = must(store.track(name, "main", {}, at(0)));
    tracked.next_check = at(seconds);
    must(store.update(tracked));
  }
  must(store.track("org/new", "main", {}, at(0)));
  std::vector<std::string> order;
  for (const Polled& row : must(store.polled())) order.push_back(row.name);
  EXPECT_THAT(order, ElementsAre("org/new", "org/b", "org/c", "org/a"));
}

TEST_F(TrackedSet, UpdateWritesWhatACheckLearnedAndNothingElse) {
  Tracked row = must(store.track("org/a", "main", {7}, at(0)));
  row.access = "gated";
  row.misses = 2;
  row.first_miss = at(1);
  row.last_check = at(2);
  row.last_change = at(3);
  row.last_full_read = at(4);
  row.next_check = at(5);
  row.last_error = "timed out";
  row.facts.set("downloads", 17);
  row.polled = false;
  row.history.revisions = 1;
  row.head = sha(9);
  must(store.untrack("org/a", false));
  must(store.track("org/a", "main", {7}, at(1)));
  must(store.update(row));
  const Tracked stored = must(store.find("org/a"));
  EXPECT_EQ(stored.access, "gated");
  EXPECT_EQ(stored.misses, 2);
  EXPECT_EQ(stored.first_miss, at(1));
  EXPECT_EQ(stored.last_check, at(2));
  EXPECT_EQ(stored.last_change, at(3));
  EXPECT_EQ(stored.last_full_read, at(4));
  EXPECT_EQ(stored.next_check, at(5));
  EXPECT_EQ(stored.last_error, "timed out");
  EXPECT_EQ(*stored.facts.find("downloads")->integer(), 17);
  EXPECT_TRUE(stored.polled);
  EXPECT_EQ(stored.history.revisions, 7);
  EXPECT_EQ(stored.head, "");
  must(store.untrack("org/a", true));
  EXPECT_EQ(store.update(row).error().message, "org/a is no longer tracked");
}

TEST_F(TrackedSet, WhatDerivesFromAModelIsFoundInPages) {
  for (const char* name : {"org/a", "org/b", "org/c", "org/d"}) {
    Tracked row = must(store.track(name, "main", {}, at(0)));
    row.facts.set("base_model", std::string(name) == "org/c" ? "org/other" : "org/base");
    must(store.update(row));
  }
  const auto first = must(store.derived_from("org/base", 0, 2));
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first[1].name, "org/b");
  const auto rest = must(store.derived_from("org/base", first[1].id, 2));
  ASSERT_EQ(rest.size(), 1U);
  EXPECT_EQ(rest[0].name, "org/d");
  EXPECT_EQ(must(store.tracked(first[0].id, 2)).at(1).name, "org/c");
}

TEST_F(TrackedSet, WhereBytesAreIsFoundByTheirIdentity) {
  Writer a(store, "org/a", "a1"), b(store, "org/b", "b1");
  const StoredFile shared = file("config.json", "{}");
  a.commit(sha(11), {}, {shared});
  a.commit(sha(12), {}, {shared, file("copy.json", "{}")});
  a.commit(sha(13), {}, {});
  b.commit(sha(21), {}, {lfs_file("model.bin", std::string(64, 'a'), 9), shared});
  std::vector<std::string> places;
  for (const FilePlace& place : must(store.holders(shared.file.identity(), 10)))
    places.push_back(place.repository + "@" + place.sha.substr(0, 2) + " " + place.path);
  EXPECT_THAT(places, ElementsAre("org/a@12 config.json", "org/a@12 copy.json", "org/b@21 config.json"));
  EXPECT_EQ(must(store.holders(std::string(64, 'a'), 10)).at(0).path, "model.bin");
  EXPECT_THAT(must(store.holders("unknown", 10)), IsEmpty());
}

TEST_F(TrackedSet, ALeaseIsHeldByOne) {
  const auto id = must(store.track("org/a", "main", {}, at(0))).id;
  EXPECT_TRUE(must(store.lease(id, "daemon", at(0), at(120))));
  EXPECT_FALSE(must(store.lease(id, "cli", at(119), at(240)))) << "held";
  EXPECT_TRUE(must(store.lease(id, "daemon", at(60), at(180)))) << "its holder may make it longer";
  EXPECT_FALSE(must(store.lease(id, "cli", at(179), at(240))));
  EXPECT_TRUE(must(store.lease(id, "cli", at(180), at(240)))) << "it has run out";
  must(store.release(id, "daemon"));
  EXPECT_FALSE(must(store.lease(id, "daemon", at(181), at(300)))) << "only its holder gives it back";
  must(store.release(id, "cli"));
  EXPECT_TRUE(must(store.lease(id, "daemon", at(181), at(300))));
  EXPECT_FALSE(must(store.lease(id + 1, "daemon", at(0), at(1)))) << "there is nothing to hold";
}

TEST_F(TrackedSet, PurgingTakesTheHistoryAndTheBytesNobodyElseHas) {
  Writer a(store, "org/a", "a1"), b(store, "org/b", "b1");
  const std::vector<StoredFile> shared = {file("LICENSE", "shared"), file("config.json", "{}")};
  a.commit(sha(1), {}, {file("config.json", "only a"), file("LICENSE", "shared")});
  a.commit(sha(2), {change(advisories::Part::config, advisories::Impact::breaking, "heads")}, {file("a/only.json", "{}")});
  b.commit(sha(3), {}, shared);
  must(store.untrack("org/a", true));

  EXPECT_THAT(names(), ElementsAre("org/b@main"));
  EXPECT_EQ(store.find("org/a").error().kind, ErrorKind::not_found);
  EXPECT_THAT(must(store.changes({}, 0)), IsEmpty());
  EXPECT_THAT(must(store.documents("", {}, 10)).rows, IsEmpty());
  EXPECT_FALSE(must(store.knows_commit(sha(1))));
  EXPECT_FALSE(must(store.has_blob(advisories::ListedFile(file("", "only a").file).identity())));
  EXPECT_TRUE(must(store.has_blob(file("", "shared").file.identity())));
  EXPECT_EQ(must(store.snapshot(b.row().repository, sha(3))).listing.size(), 2U);
  EXPECT_THAT(must(store.check()), IsEmpty());
}

}  // namespace
}  // namespace modelwatch::storage
