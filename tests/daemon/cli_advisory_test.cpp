// advisory, feed and check over a real database, through the command line's own parser.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <sstream>

#include "daemon/cli/command.h"
#include "estimator/json/reader.h"
#include "storage/store.h"
#include "tests/support/golden.h"
#include "tests/support/temp_folder.h"

namespace modelwatch::cli {
namespace {

namespace fs = std::filesystem;
using advisories::Impact;
using advisories::Part;
using storage::Time;
using ::testing::HasSubstr;

std::string sha(char digit) { return std::string(40, digit); }
Time at(const char* text) { return *advisories::parse_rfc3339(text); }

struct Outcome {
  int code = 0;
  std::string out, err;
};

class AdvisoryVerbs : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("MODELWATCH_CONFIG", (folder_.path() / "modelwatch.toml").c_str(), 1);
    std::ofstream(folder_.path() / "modelwatch.toml") << "public_url = \"https://feed.example.org\"\n";
    auto store = storage::Store::open(database(), storage::Access::read_write, {"x_MODELWATCH", "https://feed.example.org", "CC0-1.0"});
    ASSERT_TRUE(store) << store.error().message;
    auto tracked = store->track("org/name", "main", {}, at("2026-10-01T00:00:00Z"));
    ASSERT_TRUE(tracked) << tracked.error().message;
    tracked = store->identify(tracked->id, "65d0f1e2c3b4a59687f0e1d2", "org/name", at("2026-10-01T00:00:00Z"));
    ASSERT_TRUE(tracked) << tracked.error().message;
    commit(*store, *tracked, 'a', "", {});
    commit(*store, *tracked, 'b', "a", {{Part::config, Impact::breaking}});
    commit(*store, *tracked, 'c', "b", {{Part::config, Impact::behaviour}, {Part::card, Impact::cosmetic}});
  }

  std::string database() const { return (folder_.path() / "modelwatch.db").string(); }

  /// A revision whose parts change as told; the state of a part is the digit of the revision that changed it.
  void commit(storage::Store& store, const storage::Tracked& tracked, char digit, const std::string& previous,
              const std::vector<std::pair<Part, Impact>>& changes) {
    storage::RevisionRecord record;
    record.tracked = tracked.id;
    record.sha = sha(digit);
    record.parent = previous.empty() ? "" : sha(previous[0]);
    record.committed = record.seen = at("2026-10-02T00:00:00Z") + std::chrono::hours(digit - 'a');
    record.title = "commit";
    advisories::LedgerInput input;
    input.states_before = states_;
    advisories::Diff diff;
    for (const auto& [part, impact] : changes) {
      advisories::Finding finding;
      finding.rule = "test.changed";
      finding.impact = impact;
      finding.meaning = "changed at " + std::string(1, digit);
      diff.parts.push_back({part, impact, "modified", finding.meaning, {finding}});
      diff.impact = std::max(diff.impact, impact);
      if (impact != Impact::cosmetic) states_[part] = std::string("sha256:") + digit;
    }
    record.states = input.states_after = states_;
    if (!previous.empty()) record.diff = diff;
    input.repository = {"https://huggingface.co", "org/name", tracked.hub_id};
    input.step = {record.sha, record.parent, "refs/heads/main", record.committed, false, ""};
    input.diff = previous.empty() ? nullptr : &diff;
    if (!previous.empty()) input.open = *store.advisories_at(tracked.repository, record.parent);
    const auto committed = store.commit(record, [&](Time clock) {
      input.now = clock;
      return advisories::advance(input, {"x_MODELWATCH", "https://feed.example.org", "CC0-1.0"});
    });
    ASSERT_TRUE(committed) << committed.error().message;
  }

  Outcome run(std::vector<std::string> words) {
    CLI::App app;
    Program program;
    app.add_option("--db", program.db);
    app.add_flag("--json", program.json);
    app.require_subcommand(1);
    app.fallthrough();
    add_advisory(app, program);
    add_feed(app, program);
    add_check(app, program);
    add_lock(app, program);
    words.insert(words.end(), {"--db", database()});
    std::reverse(words.begin(), words.end());
    app.parse(words);
    std::ostringstream out, err;
    Console console{out, err};
    const auto code = program.run(console);
    return {code ? *code : exit_code(code.error().kind), out.str(), err.str() + (code ? "" : code.error().message)};
  }

  fs::path file(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path() / name) << text;
    return folder_.path() / name;
  }

  modelwatch::testing::TempFolder folder_;
  advisories::States states_ = {{Part::config, "sha256:a"}};
};

std::ptrdiff_t lines_of(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

TEST_F(AdvisoryVerbs, ListNamesEachWithItsState) {
  const Outcome listed = run({"advisory", "list", "org/name"});
  EXPECT_EQ(listed.code, 0) << listed.err;
  EXPECT_EQ(lines_of(listed.out), 3) << listed.out;
  EXPECT_THAT(listed.out, HasSubstr("superseded"));
  EXPECT_THAT(listed.out, HasSubstr("open"));
  EXPECT_EQ(lines_of(run({"advisory", "list", "--json"}).out), 2);
  EXPECT_EQ(lines_of(run({"advisory", "list", "--json", "--impact", "breaking"}).out), 1);
  EXPECT_EQ(lines_of(run({"advisory", "list", "--json", "--limit", "1"}).out), 1);
  EXPECT_EQ(run({"advisory", "list", "--json", "--part", "tokenizer"}).out, "");
  EXPECT_EQ(run({"advisory", "list", "--part", "head"}).code, 2);
  EXPECT_EQ(run({"advisory", "list", "no/such"}).code, 3);
}

TEST_F(AdvisoryVerbs, ShowPrintsOneAndItsDocument) {
  const std::string line = run({"advisory", "list", "--json", "--impact", "breaking"}).out;
  const auto document = json::read(line.substr(0, line.size() - 1));
  ASSERT_TRUE(document);
  const std::string id = *document->value.find("id")->string();
  const Outcome shown = run({"advisory", "show", id});
  EXPECT_EQ(shown.code, 0);
  EXPECT_THAT(shown.out, HasSubstr("introduced   " + sha('b')));
  EXPECT_THAT(shown.out, HasSubstr("ended        " + sha('c') + " (superseded, x_MODELWATCH-"));
  EXPECT_THAT(shown.out, HasSubstr("breaking  test.changed"));
  EXPECT_EQ(json::read(run({"advisory", "show", id, "--json"}).out)->value, document->value);
  EXPECT_EQ(run({"advisory", "show", "x_MODELWATCH-2026-000000000000"}).code, 3);
}

TEST_F(AdvisoryVerbs, FeedIsExportedAndVerified) {
  const std::string feed = (folder_.path() / "feed").string();
  const Outcome exported = run({"feed", "export", feed});
  EXPECT_EQ(exported.code, 0) << exported.err;
  EXPECT_EQ(exported.out, feed + ": 2 records, 2 written\n");
  EXPECT_EQ(run({"feed", "export", feed}).out, feed + ": 2 records, 0 written\n");
  const Outcome verified = run({"feed", "verify", feed});
  EXPECT_EQ(verified.code, 0) << verified.out;
  EXPECT_EQ(verified.out, "");
  fs::remove(fs::path(feed) / "list.json");
  EXPECT_EQ(run({"feed", "verify", feed}).code, 1);
  EXPECT_EQ(run({"feed", "verify", (folder_.path() / "none").string()}).code, 3);
}

TEST_F(AdvisoryVerbs, CheckJudgesPins) {
  const std::string current = file("current.purls", "pkg:huggingface/org/name@" + sha('c') + "\n").string();
  const std::string old = file("old.purls", "pkg:huggingface/org/name@" + sha('b') + "\npkg:huggingface/other/model@" + sha('b') + "\n").string();
  const Outcome silent = run({"check", current});
  EXPECT_EQ(silent.code, 0) << silent.err;
  EXPECT_EQ(silent.out + silent.err, "");
  const Outcome behind = run({"check", old});
  EXPECT_EQ(behind.code, 0);
  EXPECT_THAT(behind.out, HasSubstr("org/name@bbbbbbbbbb: behind by 1 revision, behaviour\n  config: behaviour: changed at c\n"));
  EXPECT_THAT(behind.out, HasSubstr("other/model@bbbbbbbbbb: unknown (not tracked)"));
  EXPECT_EQ(run({"check", old, "--fail-on", "behaviour"}).code, 1);
  EXPECT_EQ(run({"check", old, "--fail-on", "breaking"}).code, 0);
  EXPECT_EQ(run({"check", old, "--fail-on-present", "breaking"}).code, 1) << "the pinned revision has a breaking change of its own";
  const auto report = json::read(run({"check", old, "--json"}).out);
  ASSERT_TRUE(report);
  EXPECT_EQ(*json::at_pointer(report->value, "/pins/0/status")->string(), "behind");
  EXPECT_EQ(*json::at_pointer(report->value, "/pins/0/advisories/0/impact")->string(), "breaking");
  EXPECT_EQ(run({"check", (folder_.path() / "none").string()}).code, 3);
  EXPECT_EQ(run({"check", old, "--fail-on", "fire"}).code, 2);
}

TEST_F(AdvisoryVerbs, CheckSearchesFolders) {
  fs::create_directories(folder_.path() / "tree/.git");
  fs::create_directories(folder_.path() / "tree/deploy");
  file("tree/deploy/sbom.json", R"({"bomFormat":"CycloneDX","components":[{"purl":"pkg:huggingface/org/name"}]})");
  file("tree/.git/sbom.json", R"({"bomFormat":"CycloneDX","components":[{"purl":"pkg:huggingface/org/name"}]})");
  file("tree/broken.json", "{\"huggingface\"");
  file("tree/tsconfig.json", "{ // with a comment\n}");
  const Outcome checked = run({"check", (folder_.path() / "tree").string()});
  EXPECT_EQ(checked.code, 0);
  EXPECT_EQ(lines_of(checked.out), 1) << checked.out;
  EXPECT_THAT(checked.out, HasSubstr("deploy/sbom.json:1:48: org/name: moving"));
  EXPECT_EQ(lines_of(checked.err), 1) << checked.err;
  EXPECT_THAT(checked.err, HasSubstr("broken.json: line 1, column"));
}

TEST_F(AdvisoryVerbs, CheckReadsPythonAndCaches) {
  fs::create_directories(folder_.path() / "tree/models--org--name/snapshots" / sha('b'));
  fs::create_directories(folder_.path() / "tree/models--org--name/refs");
  file("tree/load.py", "AutoModel.from_pretrained('org/name')\n");
  const Outcome checked = run({"check", (folder_.path() / "tree").string()});
  EXPECT_THAT(checked.out, HasSubstr("load.py:1:27: org/name: moving"));
  EXPECT_THAT(checked.out, HasSubstr("snapshots/" + sha('b') + ": org/name@bbbbbbbbbb: behind by 1 revision"));
}

TEST_F(AdvisoryVerbs, CheckSpeaksSarifAndAnnotations) {
  const std::string old = file("a, b.purls", "pkg:huggingface/org/name@" + sha('b') + "\n").string();
  const Outcome sarif = run({"check", old, "--format", "sarif", "--fail-on", "behaviour"});
  EXPECT_EQ(sarif.code, 1);
  const auto log = json::read(sarif.out);
  ASSERT_TRUE(log) << log.error().to_string();
  EXPECT_EQ(*json::at_pointer(log->value, "/version")->string(), "2.1.0");
  const json::Value* result = json::at_pointer(log->value, "/runs/0/results/0");
  ASSERT_TRUE(result);
  EXPECT_EQ(*json::at_pointer(*result, "/ruleId")->string(), "model/behind");
  EXPECT_EQ(*json::at_pointer(*result, "/level")->string(), "error");
  EXPECT_THAT(*json::at_pointer(*result, "/locations/0/physicalLocation/artifactLocation/uri")->string(), HasSubstr("a%2C%20b.purls"));
  EXPECT_EQ(json::at_pointer(*result, "/locations/0/physicalLocation/region/startLine")->integer(), 1);
  const Outcome github = run({"check", old, "--format", "github"});
  EXPECT_EQ(github.code, 0);
  EXPECT_THAT(github.out, HasSubstr("::warning file="));
  EXPECT_THAT(github.out, HasSubstr("a%2C b.purls,line=1,col=1,title=modelwatch%3A behind::org/name@bbbbbbbbbb: behind by 1 revision, behaviour"));
}

TEST_F(AdvisoryVerbs, LockHoldsATree) {
  const std::string tree = (folder_.path() / "tree").string(), lock = (folder_.path() / "modelwatch.lock").string();
  fs::create_directories(tree);
  file("tree/models.purls", "pkg:huggingface/org/name@" + sha('b') + "\n");
  const Outcome written = run({"lock", tree, "-o", lock});
  EXPECT_EQ(written.code, 0) << written.err;
  const auto document = json::read(modelwatch::testing::read_file(lock));
  ASSERT_TRUE(document);
  EXPECT_EQ(*json::at_pointer(document->value, "/models/0/hub_id")->string(), "65d0f1e2c3b4a59687f0e1d2");
  EXPECT_EQ(*json::at_pointer(document->value, "/models/0/parts/config")->string(), "sha256:b");
  EXPECT_EQ(run({"check", tree, "--locked", "--lock", lock}).code, 0);

  file("tree/models.purls", "pkg:huggingface/org/name@" + sha('c') + "\n");
  const Outcome moved = run({"check", tree, "--locked", "--lock", lock});
  EXPECT_EQ(moved.code, 1);
  EXPECT_THAT(moved.out, HasSubstr("lock: locked at " + sha('b')));
  file("tree/models.purls", "pkg:huggingface/org/name@main\n");
  EXPECT_EQ(run({"check", tree, "--locked", "--lock", lock}).code, 1) << "a moving reference is not held";

  file("tree/models.purls", "pkg:huggingface/org/name@" + sha('b') + "\n");
  std::string forged = modelwatch::testing::read_file(lock);
  forged.replace(forged.find("sha256:b"), 8, "sha256:x");
  file("modelwatch.lock", forged);
  const Outcome other = run({"check", tree, "--locked", "--lock", lock});
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.out, HasSubstr("the digest of config"));
  file("tree/models.purls", "pkg:huggingface/org/name@" + sha('9') + "\n");
  EXPECT_EQ(run({"lock", tree, "-o", lock}).code, 2) << "a revision never seen cannot be locked";
}

TEST_F(AdvisoryVerbs, PinShowsTheEdits) {
  const std::string tree = (folder_.path() / "tree").string();
  fs::create_directories(tree);
  file("tree/load.py", "m = AutoModel.from_pretrained('org/name', trust_remote_code=True)\n");
  file("tree/models.purls", "pkg:huggingface/org/name@" + sha('a') + "\n");
  const Outcome shown = run({"pin", tree, "--to-head"});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("+m = AutoModel.from_pretrained('org/name', revision=\"" + sha('c') + "\", trust_remote_code=True)\n"));
  EXPECT_THAT(shown.out, HasSubstr("@@ -1 +1 @@\n-pkg:huggingface/org/name@" + sha('a') + "\n+pkg:huggingface/org/name@" + sha('c') + "\n"));
  EXPECT_THAT(run({"pin", (folder_.path() / "tree/models.purls").string()}).out, ::testing::IsEmpty()) << "the next one breaks";
}

}  // namespace
}  // namespace modelwatch::cli
