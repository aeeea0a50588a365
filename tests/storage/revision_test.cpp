#include <gmock/gmock.h>

#include "estimator/json/writer.h"
#include "tests/storage/database.h"

namespace modelwatch::storage {
namespace {

using advisories::Impact;
using advisories::Part;
using testing::ElementsAre;
using testing::HasSubstr;

class Revisions : public testing::Test {
 protected:
  std::string parts(const RevisionRow& row) {
    std::string text;
    for (const auto& [part, what] : row.parts) text += std::string(text.empty() ? "" : " ") + std::string(name(part)) + ":" + what;
    return text;
  }
  std::vector<std::string> list(int limit, const std::string& before = {}) {
    std::vector<std::string> found;
    for (const RevisionRow& row : must(store.revisions("org/a", "main", limit, before))) found.push_back(row.sha.substr(0, 2));
    return found;
  }
  Store store = open(":memory:");
  Writer writer{store, "org/a", "a1"};
};

TEST_F(Revisions, NewestFirstInPages) {
  for (int i = 11; i < 16; ++i) writer.commit(sha(i), {});
  EXPECT_THAT(list(0), ElementsAre("15", "14", "13", "12", "11"));
  EXPECT_THAT(list(2), ElementsAre("15", "14"));
  EXPECT_THAT(list(2, sha(14)), ElementsAre("13", "12"));
  EXPECT_THAT(list(2, sha(12)), ElementsAre("11"));
  EXPECT_THAT(list(2, sha(11)), ElementsAre());
  EXPECT_EQ(store.revisions("org/a", "main", 2, sha(99)).error().kind, ErrorKind::not_found);
  EXPECT_EQ(store.revisions("org/b", "main", 2).error().kind, ErrorKind::not_found);
  EXPECT_EQ(store.revisions("org/a", "dev", 2).error().kind, ErrorKind::not_found);
}

TEST_F(Revisions, SayWhatBecameOfEachPart) {
  writer.commit(sha(11), {}, {file("config.json", "{}"), lfs_file("tokenizer.json", std::string(64, 'a'), 99, "larger than 64 MB")});
  writer.commit(sha(12), {change(Part::config, Impact::breaking, "heads"), change(Part::tokenizer, Impact::cosmetic, "order"),
                          change(Part::generation, Impact::behaviour, "temperature")});
  RevisionRecord third = writer.record(sha(13), {change(Part::weights, Impact::breaking, "gone"), change(Part::config, Impact::breaking, "broken")});
  third.states.erase(Part::weights);
  third.diff->unreadable = {{"config.json", "after", "line 1, column 2: trailing comma"}, {"tokenizer.json", "before", "gated"}};
  third.event = RepositoryEvent{"ref-moved", at(1), {}, Impact::unknown, "moved"};
  writer.write(third);

  const auto rows = must(store.revisions("org/a", "main", 0));
  EXPECT_EQ(parts(rows[2]), "config:same tokenizer:unreadable weights:same");
  EXPECT_EQ(parts(rows[1]), "config:changed generation:added tokenizer:same weights:same");
  EXPECT_EQ(parts(rows[0]), "config:unreadable generation:same tokenizer:same weights:removed");
  EXPECT_TRUE(rows[2].baseline);
  EXPECT_FALSE(rows[1].baseline);
  EXPECT_EQ(rows[2].impact, Impact::cosmetic);
  EXPECT_EQ(rows[1].impact, Impact::breaking);
  EXPECT_EQ(rows[1].parent, sha(11));
  EXPECT_EQ(rows[1].title, "Commit " + sha(12).substr(0, 7));
  EXPECT_THAT(rows[1].authors, ElementsAre("somebody"));
  EXPECT_EQ(rows[1].advisories.size(), 2U);
  EXPECT_THAT(rows[2].advisories, ElementsAre());
}

TEST_F(Revisions, OneWholeByShaPrefixOrRef) {
  writer.commit(sha(11), {}, {file("config.json", "{}")});
  RevisionRecord second = writer.record(sha(12), {change(Part::config, Impact::breaking, "heads")}, {file("config.json", "{}"), file("a.txt", "a")});
  second.plan = json::Object{{"derived", 8'030'261'248}};
  second.diff->plan = json::Object{{"moved", json::Array{"derived"}}};
  writer.write(second);
  for (const std::string& wanted : {sha(12), sha(12).substr(0, 7), std::string("main")}) {
    const auto detail = must(store.revision("org/a", wanted));
    EXPECT_EQ(detail.row.sha, sha(12)) << wanted;
    EXPECT_EQ(detail.tracked.name, "org/a");
    ASSERT_EQ(detail.files.size(), 2U);
    EXPECT_EQ(detail.files[0].file.path, "a.txt");
    ASSERT_EQ(detail.changes.size(), 1U);
    EXPECT_EQ(json::write(detail.changes[0].plan), R"({"moved":["derived"]})");
    EXPECT_EQ(json::write(detail.plan), R"({"derived":8030261248})");
  }
}

TEST_F(Revisions, WhatCannotBeResolvedSaysWhy) {
  writer.commit("aaaaaaaa" + sha(1).substr(8), {});
  writer.commit("aaaaaaab" + sha(1).substr(8), {});
  const auto why = [&](const char* wanted) {
    const auto found = store.revision("org/a", wanted);
    return found ? found->row.sha : found.error().message;
  };
  EXPECT_EQ(why("aaaaaaa"), "more than one revision of org/a begins with aaaaaaa");
  EXPECT_EQ(why("AAAAAAAB").substr(0, 8), "aaaaaaab");
  EXPECT_EQ(why("ffffffff"), "org/a has no stored revision ffffffff");
  EXPECT_EQ(why("aaaa"), "org/a is not tracked at aaaa");
  EXPECT_EQ(why("dev"), "org/a is not tracked at dev");
  EXPECT_EQ(store.revision("org/b", "main").error().message, "org/b is not tracked");
  must(store.identify(must(store.track("org/c", "main", {}, at(0))).id, "c1", "org/c", at(0)));
  EXPECT_EQ(store.revision("org/c", "main").error().message, "org/c@main was not read yet");
}

}  // namespace
}  // namespace modelwatch::storage
