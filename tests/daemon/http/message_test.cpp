#include "daemon/http/message.h"

#include <gmock/gmock.h>

namespace modelwatch::http {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(Target, IsSplitAndDecoded) {
  const auto request = parse_target("/a%20b/%C3%A9?x=1+2&y=%26&flag&x=&=z");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->path, "/a b/é");
  EXPECT_THAT(request->query, ElementsAre(Pair("x", "1 2"), Pair("y", "&"), Pair("flag", ""), Pair("x", ""), Pair("", "z")));
  EXPECT_EQ(request->parameter("y"), "&");
  EXPECT_EQ(request->parameter("absent"), std::nullopt);
}

TEST(Target, OfStrangersIsRefusedWhereItCannotBeDecoded) {
  for (const char* target : {"", "a", "http://host/", "/%", "/%4", "/%zz", "/%00", "/?a=%", "/?%00=1", "*"})
    EXPECT_FALSE(parse_target(target)) << target;
}

}  // namespace
}  // namespace modelwatch::http
