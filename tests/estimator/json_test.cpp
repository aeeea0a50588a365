#include <gmock/gmock.h>

#include <cmath>

#include "estimator/json/reader.h"
#include "estimator/json/writer.h"

namespace modelwatch::json {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Value parse(std::string_view text) {
  auto document = read(text);
  EXPECT_TRUE(document) << text << ": " << document.error().to_string();
  return document ? document->value : Value();
}

std::string why(std::string_view text, Limits limits = {}) {
  auto document = read(text, limits);
  return document ? "accepted" : document.error().to_string();
}

TEST(JsonReader, WritesBackWhatItRead) {
  for (const char* text : {"{}", "[]", "null", "true", R"({"a":[1,-2,{"b":null}],"c":"x\"y\\z\n"})", "[1.5,1e-06]", "[1e+30]",
                           "[1000000000000000019884624838656]", "[NaN,Infinity,-Infinity]", "[1000000.0]", R"(["é","\u0000"])"})
    EXPECT_EQ(write(parse(text)), text);
}

TEST(JsonReader, RefusesWhatPythonRefuses) {
  EXPECT_EQ(why("{\"a\": 1,\n}"), "line 1, column 8: trailing comma");
  EXPECT_EQ(why("[1, 2 // x\n]"), "line 1, column 7: comment");
  EXPECT_EQ(why("{'a': 1}"), "line 1, column 2: expected a key in double quotes");
  EXPECT_EQ(why("{\"a\": 1\n \"b\": 2}"), "line 2, column 2: missing comma");
  EXPECT_EQ(why("\"a\nb\""), "line 1, column 3: control character in a string");
  EXPECT_EQ(why("\xEF\xBB\xBF{}"), "line 1, column 1: byte order mark");
  EXPECT_EQ(why("[01]"), "line 1, column 2: leading zero");
  EXPECT_EQ(why("[1] x"), "line 1, column 5: text after the end of the document");
  EXPECT_EQ(why("[\"\xff\"]"), "line 1, column 3: not UTF-8");
  EXPECT_EQ(why("{\"a\": "), "line 1, column 7: the document ends where a value should be");
  EXPECT_EQ(why("[\"a"), "line 1, column 2: unterminated string");
  EXPECT_EQ(why(""), "line 1, column 1: the document ends where a value should be");
}

TEST(JsonReader, IsBounded) {
  EXPECT_EQ(why(std::string(100'000, '[')), "line 1, column 66: nested deeper than 64");
  EXPECT_EQ(why("[1,2,3,4]", {.depth = 8, .values = 4}), "line 1, column 8: more than 4 values");
}

TEST(JsonReader, NotesDuplicateKeysAndKeepsTheLast) {
  const auto document = read(R"({"a":{"x":1,"x":2}})");
  ASSERT_TRUE(document);
  EXPECT_THAT(document->duplicates, ElementsAre("/a/x"));
  EXPECT_EQ(write(document->value), R"({"a":{"x":2}})");
}

TEST(JsonReader, SurrogatePairsJoinAndLoneOnesAreReplaced) {
  EXPECT_EQ(*parse(R"("\ud83d\ude00")").string(), "\xF0\x9F\x98\x80");
  EXPECT_EQ(*parse(R"("\ud83d!")").string(), "\xEF\xBF\xBD!");
}

TEST(JsonValue, EqualityIsOfMeaning) {
  EXPECT_EQ(parse(R"({"a":1,"b":2})"), parse(R"({"b":2,"a":1})"));
  EXPECT_EQ(parse("1e6"), parse("1000000"));
  EXPECT_EQ(parse("-0.0"), parse("0"));
  EXPECT_EQ(parse("NaN"), parse("NaN"));
  EXPECT_EQ(parse("1e30"), parse("1000000000000000019884624838656"));
  EXPECT_FALSE(parse("1e30") == parse("1000000000000000019884624838657"));
  EXPECT_FALSE(parse("9007199254740993") == parse("9007199254740992.0"));
  EXPECT_FALSE(parse("true") == parse("1"));
  EXPECT_FALSE(parse("[1,2]") == parse("[2,1]"));
}

TEST(JsonWriter, CanonicalFormOfEqualValuesIsEqual) {
  EXPECT_EQ(write(parse(R"({"b":1e6,"a":-0.0})"), Style::canonical), write(parse(R"({"a":0,"b":1000000})"), Style::canonical));
}

TEST(JsonWriter, PrettyIndentsByTwo) {
  EXPECT_EQ(write(parse(R"({"a":[1],"b":{}})"), Style::pretty), "{\n  \"a\": [\n    1\n  ],\n  \"b\": {}\n}");
}

TEST(JsonPointer, EscapesAndResolves) {
  EXPECT_EQ(child_pointer("/a", "x/y~z"), "/a/x~1y~0z");
  const Value v = parse(R"({"a":{"x/y~z":[10,20]}})");
  ASSERT_NE(at_pointer(v, "/a/x~1y~0z/1"), nullptr);
  EXPECT_EQ(*at_pointer(v, "/a/x~1y~0z/1"), Value(20));
  EXPECT_EQ(at_pointer(v, "/a/x~1y~0z/2"), nullptr);
  EXPECT_EQ(at_pointer(v, "/b"), nullptr);
}

TEST(JsonSalvage, ReadsThroughCommonFaults) {
  const auto salvaged = salvage("{'a': 1, // one\n \"b\": [1, 2,],\n \"c\": True \"d\": 4");
  EXPECT_EQ(write(salvaged.value), R"({"a":1,"b":[1,2],"c":true,"d":4})");
  EXPECT_THAT(salvaged.problems, SizeIs(6));
}

TEST(JsonSalvage, EndsOnAnything) {
  for (const char* text : {"}", "{,}", "{:", "[]]]]", "{\"a\"", "{\"a\":}", "{{{{", "[,,,", "\"\\u12", "{a b c", "]"})
    EXPECT_FALSE(salvage(text).problems.empty()) << text;
}

}  // namespace
}  // namespace modelwatch::json
