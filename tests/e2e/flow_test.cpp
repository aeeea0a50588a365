#include <gmock/gmock.h>

#include "estimator/json/writer.h"
#include "tests/e2e/scene.h"

namespace modelwatch::e2e {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

constexpr const char* kName = "acme/small";

/// "event part impact", one a change of the stream.
std::vector<std::string> stream(Scene& scene, const std::string& name = kName) {
  std::vector<std::string> lines;
  for (const json::Value& line : scene.run({"changes", name, "--json"}).lines()) {
    lines.push_back(at(line, "/event") + " " + at(line, "/part") + " " + at(line, "/impact"));
  }
  return lines;
}

json::Value revisions(Scene& scene, const std::string& name = kName) {
  return scene.run({"revisions", name, "--limit", "0", "--json"}).json();
}

std::vector<std::string> shas(Scene& scene, const std::string& name = kName) {
  std::vector<std::string> all;
  const json::Value listed = revisions(scene, name);
  for (const json::Value& revision : *listed.find("revisions")->array()) all.push_back(at(revision, "/sha"));
  return all;
}

/// The last line of `repo check --json`: how it ended.
json::Value check(Scene& scene, const std::string& name = kName) {
  const auto lines = scene.run({"repo", "check", name, "--json"}).lines();
  return lines.empty() ? json::Value() : lines.back();
}

class Flow : public testing::Test {
 protected:
  void track(const std::string& history = "none") {
    scene.hub()->create(kName, {.files = small_model()});
    ASSERT_EQ(scene.run({"repo", "add", kName, "--history", history}).code, 0);
    ASSERT_EQ(at(check(scene), "/outcome"), "baseline");
  }
  std::string push(testhub::Files files, const std::string& title = "Change") {
    return scene.hub()->push(kName, {.files = std::move(files), .title = title});
  }
  Scene scene;
};

TEST_F(Flow, FromAPushToAnAdvisory) {
  track();
  EXPECT_THAT(stream(scene), IsEmpty()) << "a baseline is no change";
  const std::string sha = push({{"config.json", config_with(2)}}, "Fewer heads");
  const auto lines = scene.run({"repo", "check", kName, "--json"}).lines();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(at(lines[0], "/part"), "config");
  EXPECT_EQ(at(lines[0], "/sha"), sha);
  EXPECT_EQ(at(lines[1], "/outcome"), "updated");
  EXPECT_EQ(at(lines[1], "/revisions"), "1");
  const std::string id = at(lines[1], "/advisories/0");
  EXPECT_THAT(id, testing::StartsWith("x_MODELWATCH-"));
  EXPECT_EQ(at(lines[0], "/advisory"), id);

  const json::Value listed = revisions(scene);
  EXPECT_EQ(at(listed, "/schema"), "modelwatch/revisions/1");
  EXPECT_EQ(at(listed, "/repository/id"), kName);
  EXPECT_EQ(at(listed, "/repository/head"), sha);
  EXPECT_EQ(at(listed, "/revisions/0/title"), "Fewer heads");
  EXPECT_EQ(at(listed, "/revisions/0/parts/config"), "changed");
  EXPECT_EQ(at(listed, "/revisions/0/parts/card"), "same");
  EXPECT_EQ(at(listed, "/revisions/0/advisories"), "[\"" + id + "\"]");
  EXPECT_EQ(at(listed, "/revisions/0/parent"), at(listed, "/revisions/1/sha"));

  const json::Value shown = scene.run({"revisions", "show", std::string(kName) + "@" + sha.substr(0, 8), "--json"}).json();
  EXPECT_EQ(at(shown, "/revision/sha"), sha);
  EXPECT_THAT(at(shown, "/changes/0/findings/0/meaning"), Not(IsEmpty()));
  EXPECT_EQ(shown.find("files")->array()->size(), small_model().size() + 1) << ".gitattributes came with the repository";
}

TEST_F(Flow, AnUnchangedRepositoryCostsOneHeadRequest) {
  track();
  const std::uint64_t mark = scene.log().last();
  EXPECT_EQ(at(check(scene), "/outcome"), "unchanged");
  const auto asked = scene.log().entries({.after = mark});
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].method, "HEAD");
  EXPECT_EQ(asked[0].path, "/acme/small/resolve/main/.gitattributes");
}

TEST_F(Flow, FilesAreReadAtShasAndOnlyOnce) {
  track();
  push({{"config.json", config_with(4)}});
  const std::uint64_t mark = scene.log().last();
  check(scene);
  EXPECT_EQ(scene.log().count({.method = "GET", .path = "*/resolve/main/*"}), 0U);
  EXPECT_EQ(scene.log().count({.method = "GET", .path = "/acme/small/resolve/*", .after = mark}), 1U) << "only config.json is new";

  scene.hub()->create("acme/copy", {.files = small_model()});
  const std::uint64_t copy = scene.log().last();
  ASSERT_EQ(scene.run({"repo", "add", "acme/copy", "--history", "none"}).code, 0);
  EXPECT_EQ(at(check(scene, "acme/copy"), "/outcome"), "baseline");
  EXPECT_EQ(scene.log().count({.method = "GET", .path = "/acme/copy/resolve/*", .after = copy}), 0U) << "bytes are shared";
}

TEST_F(Flow, TheHistoryWindow) {
  scene.hub()->create(kName, {.files = small_model()});
  std::vector<std::string> all = {push({{"config.json", config_with(4)}}), push({{"config.json", config_with(2)}}),
                                  push({{"config.json", config_with(1)}})};
  struct Window {
    const char* history;
    std::size_t revisions;
  };
  for (const Window& window : {Window{"none", 1}, Window{"2", 3}, Window{"full", 5}}) {  // the Hub's own first commit too
    Scene other;
    other.environment["HF_ENDPOINT"] = scene.environment["HF_ENDPOINT"];
    ASSERT_EQ(other.run({"repo", "add", kName, "--history", window.history}).code, 0);
    EXPECT_EQ(at(check(other), "/outcome"), "baseline");
    const json::Value listed = revisions(other);
    ASSERT_EQ(listed.find("revisions")->array()->size(), window.revisions) << window.history;
    EXPECT_EQ(at(listed, "/revisions/0/sha"), all.back());
    const json::Value& oldest = listed.find("revisions")->array()->back();
    EXPECT_EQ(at(oldest, "/parent"), "null");
    EXPECT_EQ(at(oldest, "/baseline"), "true");
  }
}

// Sixty revisions: consistent from the oldest to the newest, one advisory for each part whose meaning changed.
TEST_F(Flow, SixtyRevisionsInFull) {
  scene.hub()->create(kName, {.files = small_model()});
  std::size_t meant = 0;
  for (int i = 0; i < 58; ++i) {
    switch (i % 3) {
      case 0: push({{"config.json", config_with(1 << (i / 3 % 4))}}), meant += i > 0; break;
      case 1: push({{"generation_config.json", R"({"eos_token_id":)" + std::to_string(i) + "}"}}), ++meant; break;
      case 2: push({{"notes.txt", "note " + std::to_string(i)}}); break;
    }
  }
  ASSERT_EQ(scene.run({"repo", "add", kName, "--history", "full"}).code, 0);
  EXPECT_EQ(at(check(scene), "/revisions"), "60");
  const json::Value listed = revisions(scene);
  const json::Array& rows = *listed.find("revisions")->array();
  ASSERT_EQ(rows.size(), 60U);
  std::size_t advisories = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(at(rows[i], "/parent"), i + 1 < rows.size() ? at(rows[i + 1], "/sha") : "null");
    std::size_t changed = 0;
    for (const auto& [part, what] : *rows[i].find("parts")->object()) changed += what != json::Value("same") && part != "other";
    const std::size_t opened = rows[i].find("advisories")->array()->size();
    if (i + 2 < rows.size()) {
      EXPECT_EQ(opened, at(rows[i], "/impact") == "cosmetic" ? 0U : changed) << json::write(rows[i]);
    }
    advisories += opened;
  }
  EXPECT_GE(advisories, meant);
  const std::uint64_t mark = scene.log().last();
  EXPECT_EQ(at(check(scene), "/outcome"), "unchanged");
  EXPECT_EQ(scene.log().count({.after = mark}), 1U);
}

TEST_F(Flow, ARenameIsFollowed) {
  track();
  push({{"config.json", config_with(2)}});
  check(scene);
  scene.hub()->rename(kName, "acme/better");
  EXPECT_EQ(at(check(scene), "/outcome"), "updated");
  EXPECT_THAT(stream(scene, "acme/better"), ElementsAre("change config breaking", "renamed repository cosmetic"));
  EXPECT_EQ(at(revisions(scene, kName), "/repository/id"), "acme/better") << "found by its former name too";
  const std::uint64_t mark = scene.log().last();
  EXPECT_EQ(at(check(scene, "acme/better"), "/outcome"), "unchanged");
  EXPECT_EQ(scene.log().count({.after = mark}), 1U) << "asked under its new name";
}

TEST_F(Flow, ANameThatIsTakenOver) {
  track();
  const std::string former = shas(scene)[0];
  scene.hub()->rename(kName, "acme/moved");
  scene.hub()->create(kName, {.files = {{"config.json", config_with(1)}}});
  const json::Value report = check(scene);
  EXPECT_EQ(at(report, "/outcome"), "baseline");
  EXPECT_EQ(report.find("advisories")->array()->size(), 1U) << "the takeover";
  EXPECT_THAT(stream(scene), testing::Contains("taken-over repository security"));
  const auto listed = scene.run({"revisions", kName, "--json"});
  EXPECT_EQ(listed.json().find("revisions")->array()->size(), 1U);
  EXPECT_THAT(listed.err, HasSubstr("now belongs to another repository"));
  EXPECT_NE(at(listed.json(), "/revisions/0/sha"), former);
  push({{"config.json", config_with(2)}});
  const auto lines = scene.run({"repo", "check", kName, "--json"}).lines();
  ASSERT_EQ(lines.size(), 2U) << "one change, one report: the former holder is not asked for";
  EXPECT_EQ(at(lines[1], "/outcome"), "updated") << "and the newcomer is polled";
}

TEST_F(Flow, AForcePushRewritesHistory) {
  track();
  const std::string base = shas(scene)[0];
  const std::string lost = push({{"config.json", config_with(2)}}, "Lost");
  check(scene);
  const std::string d = scene.hub()->push(kName, {.files = {{"config.json", config_with(4)}}, .title = "Instead", .onto = base});
  const std::string e = push({{"README.md", "# other\n"}});
  EXPECT_EQ(at(check(scene), "/revisions"), "2");
  EXPECT_THAT(shas(scene), ElementsAre(e, d, lost, base));
  EXPECT_EQ(at(revisions(scene), "/revisions/1/rewritten"), "true");
  EXPECT_EQ(at(revisions(scene), "/revisions/1/parent"), lost);
  EXPECT_THAT(stream(scene), testing::Contains("history-rewritten repository unknown"));

  scene.hub()->force_push(kName, base);
  EXPECT_EQ(at(check(scene), "/outcome"), "updated") << "back to a known revision";
  EXPECT_EQ(at(revisions(scene), "/repository/head"), base);
  EXPECT_THAT(stream(scene), testing::Contains("ref-moved repository unknown"));
  EXPECT_EQ(at(check(scene), "/outcome"), "unchanged");
}

TEST_F(Flow, ASquashIsOneStep) {
  track();
  push({{"config.json", config_with(2)}});
  check(scene);
  const std::size_t before = shas(scene).size();
  scene.hub()->super_squash(kName);
  EXPECT_EQ(at(check(scene), "/revisions"), "1");
  EXPECT_EQ(shas(scene).size(), before + 1);
  EXPECT_EQ(at(revisions(scene), "/revisions/0/rewritten"), "true");
}

TEST_F(Flow, AGateThatCloses) {
  scene.configure("full_read = \"0s\"\n");
  track();
  scene.hub()->repository(kName).gate = testhub::Gate::manual;
  EXPECT_EQ(at(check(scene), "/outcome"), "updated");
  EXPECT_THAT(stream(scene), ElementsAre("gated repository legal"));
  push({{"config.json", config_with(2)}, {"README.md", "# gated now\n"}});
  EXPECT_EQ(at(check(scene), "/revisions"), "1") << "the head and its listing are open";
  EXPECT_THAT(stream(scene), testing::IsSupersetOf({"change config unknown", "ref-moved repository unknown"}));
  scene.hub()->repository(kName).gate = testhub::Gate::open;
  EXPECT_EQ(at(check(scene), "/outcome"), "updated");
  EXPECT_THAT(stream(scene), testing::Contains("ungated repository legal"));
}

TEST_F(Flow, TagsThatMove) {
  scene.configure("full_read = \"0s\"\n");
  scene.hub()->create(kName, {.files = small_model()});
  scene.hub()->tag(kName, "v1");
  ASSERT_EQ(scene.run({"repo", "add", kName}).code, 0);
  check(scene);
  push({{"notes.txt", "x"}});
  scene.hub()->tag(kName, "v1");
  check(scene);
  EXPECT_THAT(stream(scene), testing::Contains("tag-moved repository unknown"));
}

TEST_F(Flow, ARepositoryThatIsGoneAndComesBack) {
  scene.configure("[gone]\nmisses = 2\nafter = \"0s\"\n");
  track();
  scene.hub()->create("acme/control", {.files = small_model()});
  ASSERT_EQ(scene.run({"repo", "add", "acme/control"}).code, 0);
  check(scene, "acme/control");
  scene.hub()->repository(kName).is_private = true;
  const auto missed = scene.run({"repo", "check", kName});
  EXPECT_EQ(missed.code, 3);
  EXPECT_THAT(missed.err, HasSubstr("not found, or private to others"));
  EXPECT_THAT(missed.err, HasSubstr("try: "));
  EXPECT_THAT(stream(scene), IsEmpty()) << "once proves nothing";
  EXPECT_EQ(at(check(scene), "/outcome"), "gone");
  EXPECT_THAT(stream(scene), ElementsAre("gone repository breaking"));
  scene.hub()->repository(kName).is_private = false;
  EXPECT_EQ(at(check(scene), "/outcome"), "updated");
  EXPECT_THAT(stream(scene), ElementsAre("gone repository breaking", "back repository cosmetic"));
}

TEST_F(Flow, OneThatIsMissingWithEverybodyElseIsNotGone) {
  scene.configure("[gone]\nmisses = 1\nafter = \"0s\"\n");
  track();
  scene.hub()->faults.arm({.path = "*", .times = -1, .status = 401});
  EXPECT_EQ(at(check(scene), "/outcome"), "missing");
  EXPECT_THAT(stream(scene), IsEmpty());
}

TEST_F(Flow, ADisabledRepository) {
  scene.configure("full_read = \"0s\"\n");
  track();
  scene.hub()->repository(kName).disabled = true;
  const auto checked = scene.run({"repo", "check", kName});
  EXPECT_EQ(checked.code, 4);
  EXPECT_THAT(stream(scene), ElementsAre("disabled repository breaking"));
}

TEST_F(Flow, AFileThatStopsParsingIsBreaking) {
  track();
  push({{"config.json", "{\"model_type\": \"llama\",\n  \"hidden_size\": 64,,\n}"}});
  EXPECT_EQ(at(check(scene), "/outcome"), "updated");
  EXPECT_THAT(stream(scene), ElementsAre("change config breaking"));
  EXPECT_EQ(at(revisions(scene), "/revisions/0/parts/config"), "unreadable");
}

TEST_F(Flow, ARevisionIsASourceFromTheDatabaseAndFromTheHub) {
  scene.hub()->create(kName, {.files = small_model()});
  const std::string before = scene.hub()->repository(kName).head()->id;
  const std::string after = push({{"config.json", config_with(2)}});
  const std::vector<std::string> words = {"diff", std::string(kName) + "@" + before, kName, "--json"};
  const auto fetched = scene.run(words);
  EXPECT_EQ(at(fetched.json(), "/parts/0/part"), "config") << fetched.err;
  EXPECT_EQ(at(scene.run({"plan", kName, "--json"}).json(), "/model/family"), "llama");

  ASSERT_EQ(scene.run({"repo", "add", kName, "--history", "full"}).code, 0);
  check(scene);
  const std::uint64_t mark = scene.log().last();
  EXPECT_EQ(scene.run(words).out, fetched.out);
  EXPECT_EQ(scene.log().count({.after = mark}), 0U) << "stored: nothing is asked";
  const auto unknown = scene.run({"diff", std::string(kName) + "@0123456789", kName});
  EXPECT_EQ(unknown.code, 3) << unknown.err;
}

TEST_F(Flow, ReposAreListedAndRemoved) {
  track();
  const json::Value listed = scene.run({"repo", "list", "--json"}).json();
  EXPECT_EQ(at(listed, "/repositories/0/id"), kName);
  EXPECT_EQ(at(listed, "/repositories/0/access"), "open");
  EXPECT_EQ(scene.run({"repo", "remove", kName}).code, 0);
  EXPECT_EQ(at(scene.run({"repo", "list", "--json"}).json(), "/repositories/0/polled"), "false");
  EXPECT_EQ(shas(scene).size(), 1U) << "the history stays";
  EXPECT_EQ(scene.run({"repo", "remove", kName, "--purge"}).code, 0);
  EXPECT_EQ(scene.run({"revisions", kName}).code, 3);
}

TEST_F(Flow, MistakesAreOneLineAndATry) {
  struct Mistake {
    std::vector<std::string> words;
    int code;
    const char* message;
  };
  track();
  for (const Mistake& mistake : {Mistake{{"repo", "add", "no spaces/please"}, 2, "is no repository name"},
                                 Mistake{{"repo", "add", "a/b", "--history", "some"}, 2, "history is full, none or a number"},
                                 Mistake{{"repo", "check", "acme/unknown"}, 3, "acme/unknown is not tracked"},
                                 Mistake{{"revisions", "acme/unknown"}, 3, "acme/unknown"},
                                 Mistake{{"revisions", "show", "acme/small"}, 2, "names no revision"},
                                 Mistake{{"changes", "--part", "brain"}, 2, "is no part"},
                                 Mistake{{"changes", "--impact", "high"}, 2, "is no impact"},
                                 Mistake{{"changes", "--since", "yesterday"}, 2, "yesterday"}}) {
    const auto result = scene.run(mistake.words);
    EXPECT_EQ(result.code, mistake.code) << result.err;
    EXPECT_THAT(result.err, HasSubstr(mistake.message));
    EXPECT_THAT(result.err, HasSubstr("\ntry: "));
    EXPECT_THAT(result.out, IsEmpty());
  }
}

TEST(NoDatabase, SaysHowToBegin) {
  Scene scene;
  const auto result = scene.run({"changes"});
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.err, HasSubstr("there is no database at " + scene.database()));
  EXPECT_THAT(result.err, HasSubstr("try: modelwatch repo add org/name"));
}

}  // namespace
}  // namespace modelwatch::e2e
