#include "advisories/feed/atom.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../osv/samples.h"
#include "tests/support/golden.h"

namespace modelwatch::advisories {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<Advisory> all() {
  std::vector<Advisory> out;
  for (auto& [name, advisory] : testing::every_shape()) out.push_back(std::move(advisory));
  return out;
}

const FeedIdentity kFeed = testing::sample_feed();
const AtomHead kHead{atom_feed_id(kFeed, "all"), "All advisories", "/feed.atom"};

TEST(Atom, OfEveryShapeIsGolden) { modelwatch::testing::expect_golden("feed.atom", atom_feed(kHead, all(), kFeed)); }

TEST(Atom, StaysSilentWhereOnlyRevisionsAreAdded) {
  std::vector<Advisory> longer = all();
  for (Advisory& a : longer) {
    a.versions.push_back(testing::sha(77));
    a.modified += std::chrono::hours(1);
  }
  EXPECT_EQ(atom_feed(kHead, longer, kFeed), atom_feed(kHead, all(), kFeed));
}

TEST(Atom, IsBoundedAndNewestFirst) {
  std::vector<Advisory> two = {all()[0], all()[1]};
  two[1].significant_at += std::chrono::hours(100);
  const std::string feed = atom_feed(kHead, two, kFeed, 1);
  EXPECT_THAT(feed, HasSubstr(two[1].id));
  EXPECT_THAT(feed, Not(HasSubstr(two[0].id)));
}

TEST(Atom, WithoutAnAddressHasNoLinks) {
  FeedIdentity feed = kFeed;
  feed.public_url.clear();
  EXPECT_THAT(atom_feed(kHead, all(), feed), Not(HasSubstr("<link")));
  EXPECT_THAT(atom_feed(kHead, {}, feed), HasSubstr("<updated>1970-01-01T00:00:00Z</updated>"));
}

TEST(Atom, CarriesUpstreamsWordsAsText) {
  Advisory a = all()[0];
  a.repository.name = "a\"b&<c>";
  a.findings[0].meaning = "x \xEF\xBF\xBE y \x01 ]]> <b>";
  const std::string feed = atom_feed(kHead, {a}, kFeed);
  EXPECT_THAT(feed, HasSubstr("a&quot;b&amp;&lt;c&gt;: config changed"));
  EXPECT_THAT(feed, HasSubstr("x \xEF\xBF\xBD y \\u{1} ]]&gt; &lt;b&gt;"));
}

}  // namespace
}  // namespace modelwatch::advisories
