#include "advisories/manifest/front_matter.h"

#include <gtest/gtest.h>

#include "estimator/json/writer.h"

namespace modelwatch::advisories {
namespace {

std::string read(std::string_view card) {
  const FrontMatter front = read_front_matter(card);
  if (front.state == FrontMatter::State::absent) return "absent";
  return front.state == FrontMatter::State::broken ? "broken: " + front.problem : json::write(front.value);
}

TEST(FrontMatter, ReadsTypedScalars) {
  EXPECT_EQ(read("---\nlicense: mit\ninference: false\nn: 3\nx: 0.5\nq: \"1\"\nlanguage:\n- en\n- no\n---\nbody"),
            R"({"license":"mit","inference":false,"n":3,"x":0.5,"q":"1","language":["en","no"]})");
  EXPECT_EQ(read_front_matter("---\na: 1\n---\nbody\n").body, "body\n");
  EXPECT_EQ(read("---\r\na: b\r\n---\r\n"), R"({"a":"b"})");
}

TEST(FrontMatter, AbsentOrBroken) {
  EXPECT_EQ(read(""), "absent");
  EXPECT_EQ(read("# Title\n---\na: 1\n---\n"), "absent");
  EXPECT_EQ(read("---\na: 1\n"), "broken: the front matter is never closed");
  EXPECT_TRUE(read("---\na: [1\n---\n").starts_with("broken: line"));
  EXPECT_EQ(read("---\n- a\n---\n"), "broken: not a mapping");
  EXPECT_EQ(read("---\n---\n"), "{}");
}

TEST(FrontMatter, IsBounded) {
  EXPECT_TRUE(read("---\na: " + std::string(5000, '[') + "\n---\n").starts_with("broken"));
  EXPECT_TRUE(read("---\n" + std::string(100'000, '-') + " \n---\n").starts_with("broken"));
  std::string bomb = "---\na: &a [x,x,x,x,x,x,x,x,x]\n";
  for (char c = 'b'; c < 'k'; ++c) {
    const std::string p(1, static_cast<char>(c - 1));
    bomb += std::string(1, c) + ": &" + c + " [*" + p + ",*" + p + ",*" + p + ",*" + p + ",*" + p + ",*" + p + ",*" + p + ",*" + p + ",*" + p + "]\n";
  }
  EXPECT_EQ(read(bomb + "---\n"), "broken: more than 20000 values");
  std::string steps = "---\n";
  for (int i = 0; i < 300; ++i) steps += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  EXPECT_TRUE(read(steps + "---\n").starts_with("broken")) << "block mappings nest by indentation";
}

}  // namespace
}  // namespace modelwatch::advisories
