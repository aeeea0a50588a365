#include "advisories/pins/node.h"

#include <gtest/gtest.h>

namespace modelwatch::advisories {
namespace {

TEST(JsonNode, KnowsWhereThingsStand) {
  const auto node = read_json_node("{\n  \"a\": [1, \"t\\u00e4\\n\"],\n  \"b\": {\"c\" : null}, \"a\":\t true\n}");
  ASSERT_TRUE(node) << node.error().message;
  ASSERT_EQ(node->members.size(), 3u);
  const Node& list = node->members[0].second;
  EXPECT_EQ(list.at, (Position{2, 8}));
  EXPECT_EQ(list.items[0].text, "1");
  EXPECT_FALSE(list.items[0].quoted);
  EXPECT_EQ(list.items[1].text, "tä\n");
  EXPECT_EQ(list.items[1].at, (Position{2, 12}));
  EXPECT_EQ(node->find("b")->find("c")->kind, Node::Kind::null);
  EXPECT_EQ(node->get("a"), "true") << "the last of two counts";
  EXPECT_EQ(node->find("a")->at, (Position{3, 28}));
  EXPECT_EQ(node->get("none"), "");
}

TEST(JsonNode, ReadsEmptyAndBareDocuments) {
  EXPECT_EQ(read_json_node("[]")->kind, Node::Kind::list);
  EXPECT_EQ(read_json_node(" { } ")->kind, Node::Kind::map);
  EXPECT_EQ(read_json_node("12")->text, "12");
  EXPECT_EQ(read_json_node("\n\"x\"")->at, (Position{2, 1}));
  EXPECT_FALSE(read_json_node(""));
  EXPECT_EQ(read_json_node("{\n\"a\": }").error().message.substr(0, 7), "line 2,");
}

}  // namespace
}  // namespace modelwatch::advisories
