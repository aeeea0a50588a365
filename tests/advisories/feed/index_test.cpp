#include "advisories/feed/index.h"

#include <gtest/gtest.h>

namespace modelwatch::advisories {
namespace {

Time at(const char* text) { return *parse_rfc3339(text); }

TEST(FeedIndex, IsOrderedByTimeThenId) {
  std::vector<FeedEntry> entries = {{"b", at("2026-01-01T00:00:00Z")}, {"a", at("2026-01-01T00:00:00Z")}, {"c", at("2026-01-02T00:00:00Z")}};
  sort_as_feed(entries);
  EXPECT_EQ(modified_id_csv(entries), "2026-01-02T00:00:00Z,c\n2026-01-01T00:00:00Z,a\n2026-01-01T00:00:00Z,b\n");
  EXPECT_EQ(modified_id_csv(entries, "GIT").substr(0, 27), "2026-01-02T00:00:00Z,GIT/c\n");
  EXPECT_EQ(rest_list(entries).substr(0, 53), "[{\"id\":\"c\",\"modified\":\"2026-01-02T00:00:00Z\"},\n{\"id\":");
  EXPECT_EQ(rest_list({}), "[]\n");
  EXPECT_EQ(parse_modified_id_csv(modified_id_csv(entries)), entries);
  EXPECT_EQ(parse_modified_id_csv(modified_id_csv(entries, "GIT"), "GIT"), entries);
}

TEST(FeedIndex, OfAnotherFormIsRefused) {
  for (const char* text : {"x", "2026-01-02T00:00:00Z,c", "2026-01-02T00:00:00Zc\n", "2026-01-02,c\n", "2026-01-02T00:00:00Z,\n", "\n"})
    EXPECT_FALSE(parse_modified_id_csv(text)) << text;
  EXPECT_FALSE(parse_modified_id_csv("2026-01-02T00:00:00Z,c\n", "GIT"));
  EXPECT_TRUE(parse_modified_id_csv("")->empty());
}

}  // namespace
}  // namespace modelwatch::advisories
