#include "advisories/osv/validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>

#include "estimator/json/reader.h"
#include "samples.h"
#include "tests/support/golden.h"

namespace modelwatch::advisories {
namespace {

using namespace testing;

json::Value* place(json::Value& document, const char* pointer) {
  return const_cast<json::Value*>(json::at_pointer(document, pointer));
}

TEST(Validate, AgreesWithTheExamplesOfTheFormat) {
  const auto data = modelwatch::testing::shared_data();
  if (data.empty()) GTEST_SKIP() << "../shared/data is absent";
  int valid = 0, refused = 0;
  for (const auto& file : std::filesystem::directory_iterator(data / "osv/examples")) {
    if (file.path().extension() != ".json") continue;
    const std::string name = file.path().filename();
    const auto violations = validate(json::read(modelwatch::testing::read_file(file))->value, "x_HFCHG");
    if (name.starts_with("valid")) {
      ++valid;
      for (const Violation& violation : violations) ADD_FAILURE() << name << ": " << violation.to_string();
    } else {
      ++refused;
      EXPECT_FALSE(violations.empty()) << name;
    }
  }
  EXPECT_EQ(valid, 5);
  EXPECT_EQ(refused, 14);
}

/// Each row breaks one rule of a sound document and names where that is seen.
struct Break {
  const char* what;
  const char* rule;
  const char* pointer;
  std::function<void(json::Value&)> how;
};

std::function<void(json::Value&)> put(const char* parent, const char* key, json::Value value) {
  return [=](json::Value& document) { place(document, parent)->object()->set(key, value); };
}
std::function<void(json::Value&)> drop(const char* parent, const char* key) {
  return [=](json::Value& document) { place(document, parent)->object()->erase(key); };
}
std::function<void(json::Value&)> push(const char* array, json::Value value) {
  return [=](json::Value& document) { place(document, array)->array()->push_back(value); };
}

const std::string kSha = sha(2);

const Break kBreaks[] = {
    {"own top-level key", "schema", "/x_more", put("", "x_more", 1)},
    {"own key in package", "schema", "/affected/0/package/kind", put("/affected/0/package", "kind", "model")},
    {"own key in a reference", "schema", "/references/0/title", put("/references/0", "title", "x")},
    {"own key in an event", "schema", "/affected/0/ranges/0/events/0/at", put("/affected/0/ranges/0/events/0", "at", "x")},
    {"no id", "schema", "/id", drop("", "id")},
    {"another prefix", "schema", "/id", put("", "id", "HFCHG-2026-0c55b8c2642d")},
    {"an id with a slash", "schema", "/id", put("", "id", "x_MODELWATCH-2026-../etc/passwd")},
    {"an id of 13 digits", "schema", "/id", put("", "id", "x_MODELWATCH-2026-0c55b8c2642d0")},
    {"another schema version", "feed", "/schema_version", put("", "schema_version", "1.7.5")},
    {"unanchored time", "schema", "/modified", put("", "modified", "zz2026-08-20T09:12:04Zzz")},
    {"time with offset", "schema", "/modified", put("", "modified", "2026-08-20T09:12:04+01:00")},
    {"time with a fraction", "schema", "/modified", put("", "modified", "2026-08-20T09:12:04.5Z")},
    {"no modified", "schema", "/modified", drop("", "modified")},
    {"published after modified", "feed", "/published", put("", "published", "2027-01-01T00:00:00Z")},
    {"significant before published", "feed", "/database_specific/significant_at",
     put("/database_specific", "significant_at", "2020-01-01T00:00:00Z")},
    {"withdrawn after modified", "feed", "/withdrawn", put("", "withdrawn", "2027-01-01T00:00:00Z")},
    {"severity", "schema", "/severity", put("", "severity", json::Array{json::Object{{"type", "CVSS_V3"}, {"score", "x"}}})},
    {"summary of two lines", "feed", "/summary", put("", "summary", "a\nb")},
    {"HTML in details", "feed", "/details", put("", "details", "a <b>bold</b> word")},
    {"details too long", "feed", "/details", put("", "details", std::string(70'000, 'x'))},
    {"not UTF-8", "feed", "/summary", put("", "summary", "caf\xE9")},
    {"an integer beyond 2^53", "feed", "/database_specific/size", put("/database_specific", "size", std::int64_t{9007199254740993})},
    {"a big integer", "feed", "/database_specific/size", put("/database_specific", "size", json::BigInteger{"1000000000000000019884624838656"})},
    {"NaN", "feed", "/database_specific/loss", put("/database_specific", "loss", std::nan(""))},
    {"nothing affected", "REC:001", "/affected", put("", "affected", json::Array{})},
    {"an alias twice", "REC:002", "/aliases/1", put("", "aliases", json::Array{"A-1", "A-1"})},
    {"related to itself", "REC:004", "/related/0", [](json::Value& d) { d.object()->set("related", json::Array{*d.find("id")}); }},
    {"related twice", "REC:004", "/related/1", put("", "related", json::Array{"A-1", "A-1"})},
    {"related is no text", "schema", "/related/0", put("", "related", json::Array{1})},
    {"upstream that is related", "REC:003", "/upstream",
     [](json::Value& d) { d.object()->set("related", json::Array{"A-1"}), d.object()->set("upstream", json::Array{"A-1"}); }},
    {"another ecosystem", "PKG:001", "/affected/0/package/ecosystem", put("/affected/0/package", "ecosystem", "Hugging Face")},
    {"package without a name", "schema", "/affected/0/package/name", drop("/affected/0/package", "name")},
    {"purl that is none", "PKG:003", "/affected/0/package/purl", put("/affected/0/package", "purl", "pkg:x")},
    {"purl with a version", "PKG:003", "/affected/0/package/purl",
     put("/affected/0/package", "purl", std::string("pkg:huggingface/") + kRepository + "@" + kSha)},
    {"purl of another package", "PKG:003", "/affected/0/package/purl", put("/affected/0/package", "purl", "pkg:huggingface/a/b")},
    {"range of another repository", "feed", "/affected/0/ranges/0/repo", put("/affected/0/ranges/0", "repo", "https://huggingface.co/a/b")},
    {"repository with .git", "feed", "/affected/0/ranges/0/repo", put("/affected/0/ranges/0", "repo", "https://huggingface.co/a/b.git")},
    {"GIT range without repo", "schema", "/affected/0/ranges/0/repo", drop("/affected/0/ranges/0", "repo")},
    {"another type of range", "RNG:002", "/affected/0/ranges/0/type", put("/affected/0/ranges/0", "type", "ECOSYSTEM")},
    {"no range", "RNG:001", "/affected/0/ranges", put("/affected/0", "ranges", json::Array{})},
    {"nothing introduced", "RNG:001", "/affected/0/ranges/0/events",
     put("/affected/0/ranges/0", "events", json::Array{json::Object{{"fixed", sha(9)}}})},
    {"introduced is fixed", "RNG:002", "/affected/0/ranges/0/events", push("/affected/0/ranges/0/events", json::Object{{"fixed", kSha}})},
    {"fixed and last_affected", "schema", "/affected/0/ranges/0/events",
     put("/affected/0/ranges/0", "events",
         json::Array{json::Object{{"introduced", kSha}}, json::Object{{"fixed", sha(8)}}, json::Object{{"last_affected", sha(9)}}})},
    {"a short hash", "schema", "/affected/0/ranges/0/events/1", push("/affected/0/ranges/0/events", json::Object{{"fixed", "abc1234"}})},
    {"an upper-case hash", "schema", "/affected/0/ranges/0/events/1",
     push("/affected/0/ranges/0/events", json::Object{{"fixed", std::string(40, 'A')}})},
    {"two keys in one event", "schema", "/affected/0/ranges/0/events/1",
     push("/affected/0/ranges/0/events", json::Object{{"introduced", sha(8)}, {"fixed", sha(9)}})},
    {"no versions", "feed", "/affected/0/versions", put("/affected/0", "versions", json::Array{})},
    {"a version twice", "feed", "/affected/0/versions/1", push("/affected/0/versions", kSha)},
    {"a branch among versions", "feed", "/affected/0/versions/1", push("/affected/0/versions", "main")},
    {"introduced is no version", "feed", "/affected/0/ranges/0/events/0", put("/affected/0", "versions", json::Array{sha(8)})},
    {"fixed is a version", "feed", "/affected/0/ranges/0/events/1",
     [](json::Value& d) {
       place(d, "/affected/0/versions")->array()->push_back(sha(9));
       place(d, "/affected/0/ranges/0/events")->array()->push_back(json::Object{{"fixed", sha(9)}});
     }},
    {"unknown reference type", "schema", "/references/0/type", put("/references/0", "type", "COMMIT")},
    {"reference to a script", "feed", "/references/0/url", put("/references/0", "url", "javascript:alert(1)")},
    {"reference with a space", "feed", "/references/0/url", put("/references/0", "url", "https://a b")},
    {"unknown credit", "schema", "/credits/0/type", put("/credits/0", "type", "ROBOT")},
    {"free object is a list", "schema", "/affected/0/database_specific", put("/affected/0", "database_specific", json::Array{})},
};

TEST(Validate, NamesRuleAndPlaceOfEachBreak) {
  const json::Value sound = to_osv(every_shape().front().second, sample_feed());
  ASSERT_TRUE(validate(sound, "x_MODELWATCH").empty());
  for (const Break& row : kBreaks) {
    json::Value document = sound;
    row.how(document);
    std::vector<std::string> seen;
    bool named = false;
    for (const Violation& violation : validate(document, "x_MODELWATCH")) {
      seen.push_back(violation.to_string());
      named |= violation.rule == row.rule && violation.pointer == row.pointer;
    }
    EXPECT_TRUE(named) << row.what << ": " << ::testing::PrintToString(seen);
  }
}

TEST(Validate, EndsOnAnything) {
  for (const json::Value& junk : {json::Value(), json::Value(1), json::Value(json::Array{1}), json::Value(json::Object{}),
                                  json::Value(json::Object{{"affected", 1}, {"references", json::Object{}}, {"credits", json::Array{1}}}),
                                  json::Value(json::Object{{"affected", json::Array{1, json::Object{{"ranges", json::Array{nullptr}}}}}})})
    EXPECT_FALSE(validate(junk, "x_MODELWATCH").empty());
}

}  // namespace
}  // namespace modelwatch::advisories
