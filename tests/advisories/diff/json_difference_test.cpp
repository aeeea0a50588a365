#include "advisories/diff/json_difference.h"

#include <gtest/gtest.h>

#include "estimator/json/reader.h"
#include "estimator/json/writer.h"

namespace modelwatch::advisories {
namespace {

std::string differ(const char* before, const char* after) {
  const json::Value a = json::read(before)->value, b = json::read(after)->value;
  std::string text;
  for (const Edit& edit : difference(a, b)) text += (edit.added() ? "+" : edit.removed() ? "-" : "~") + edit.pointer + " ";
  return text;
}

TEST(JsonDifference, IsByPointerWithWholeArraysAndRootsOfSubtrees) {
  EXPECT_EQ(differ(R"({"a":1,"b":[1,2],"c":{"d":1}})", R"({"a":1,"b":[1,3],"e":{"f":{"g":1}}})"), "~/b -/c +/e ");
  EXPECT_EQ(differ(R"({"a":{"x":1,"y":2}})", R"({"a":{"y":3,"x":1}})"), "~/a/y ");
  EXPECT_EQ(differ(R"({"a":{"x":1}})", R"({"a":null})"), "~/a ");
  EXPECT_EQ(differ(R"({"a/b":1,"c~d":1})", R"({"a/b":2,"c~d":2})"), "~/a~1b ~/c~0d ");
  EXPECT_EQ(differ("1", "2"), "~ ");
  EXPECT_EQ(differ(R"({"a":1e6})", R"({"a":1000000})"), "");
  EXPECT_EQ(differ(R"({"a":null})", R"({})"), "-/a ");
}

TEST(JsonDifference, TokensOfAPointerAreUnescaped) {
  EXPECT_EQ(pointer_tokens("/a~1b/c~0d//e"), (std::vector<std::string>{"a/b", "c~d", "", "e"}));
  EXPECT_TRUE(pointer_tokens("").empty());
}

TEST(JsonDifference, StaysNearLinearInWideObjects) {
  json::Object before, after;
  for (int i = 0; i < 200'000; ++i) {
    before.append("k" + std::to_string(i), i);
    after.append("k" + std::to_string(199'999 - i), 199'999 - i);
  }
  after.set("k7", 8);
  EXPECT_EQ(difference(std::move(before), std::move(after)).size(), 1u);
}

}  // namespace
}  // namespace modelwatch::advisories
