#include <gmock/gmock.h>

#include "estimator/json/writer.h"
#include "tests/storage/database.h"

namespace modelwatch::storage {
namespace {

using advisories::Impact;
using advisories::Part;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Commit : public testing::Test {
 protected:
  std::vector<std::string> stream() {
    std::vector<std::string> lines;
    for (const ChangeRow& row : must(store.changes({}, 0)))
      lines.push_back(row.sha.substr(0, 2) + " " + row.event + " " + std::string(name(row.part)) + " " + row.summary +
                      (row.advisory.empty() ? "" : " *"));
    return lines;
  }
  std::vector<std::string> shas(const std::string& ref = "main") {
    std::vector<std::string> found;
    for (const RevisionRow& row : must(store.revisions("org/a", ref, 0))) found.push_back(row.sha.substr(0, 2));
    return found;
  }

  TemporaryDatabase database;
  Store store = open(database.path());
  Writer writer{store, "org/a", "a1"};
};

TEST_F(Commit, ABaselineHasNoChangesAndNoAdvisories) {
  writer.commit(sha(11), {}, {file("config.json", "{}")});
  EXPECT_THAT(stream(), IsEmpty());
  EXPECT_THAT(must(store.documents("", {}, 10)).rows, IsEmpty());
  EXPECT_EQ(writer.row().head, sha(11));
  EXPECT_EQ(writer.row().last_change, std::nullopt);
  EXPECT_TRUE(must(store.has_revision(writer.row().repository, sha(11))));
  EXPECT_FALSE(must(store.has_revision(writer.row().repository + 1, sha(11))));
}

TEST_F(Commit, WritesChangesAndTheirAdvisoriesInOneStep) {
  writer.commit(sha(11), {});
  writer.commit(sha(12), {change(Part::config, Impact::breaking, "heads"), change(Part::card, Impact::cosmetic, "words")});
  EXPECT_THAT(stream(), ElementsAre("12 change config heads *", "12 change card words"));
  EXPECT_EQ(writer.row().head, sha(12));
  EXPECT_EQ(writer.row().last_change, at(120));
}

TEST_F(Commit, AgainChangesNothing) {
  writer.commit(sha(11), {}, {file("config.json", "{}")});
  const RevisionRecord record = writer.record(sha(12), {change(Part::config, Impact::breaking, "heads")}, {file("config.json", "{1}")});
  writer.write(record);
  const std::string before = dump(database.path());
  bool asked = false;
  must(store.commit(record, [&](Time) { asked = true; return std::vector<advisories::Advisory>{}; }));
  EXPECT_FALSE(asked);
  EXPECT_EQ(dump(database.path()), before);
}

TEST_F(Commit, OnTopOfAnotherHeadIsRefused) {
  writer.commit(sha(11), {});
  RevisionRecord late = writer.record(sha(13), {});
  writer.commit(sha(12), {});
  const std::string before = dump(database.path());
  const auto refused = store.commit(late, [](Time) { return std::vector<advisories::Advisory>{}; });
  EXPECT_EQ(refused.error().kind, ErrorKind::database);
  EXPECT_THAT(refused.error().message, HasSubstr("another process moved main"));
  EXPECT_EQ(dump(database.path()), before);
}

TEST_F(Commit, AFailureWhilePublishingLeavesNothing) {
  writer.commit(sha(11), {});
  const std::string before = dump(database.path());
  const RevisionRecord record = writer.record(sha(12), {change(Part::config, Impact::breaking, "heads")}, {file("a.json", "{}")});
  EXPECT_THROW((void)store.commit(record, [](Time) -> std::vector<advisories::Advisory> { throw std::logic_error("bug"); }),
               std::logic_error);
  EXPECT_EQ(dump(database.path()), before);
  writer.write(record);
  EXPECT_EQ(writer.row().head, sha(12));
}

TEST_F(Commit, OfAPurgedRepositoryIsNotFound) {
  const RevisionRecord record = writer.record(sha(11), {});
  must(store.untrack("org/a", true));
  EXPECT_EQ(store.commit(record, [](Time) { return std::vector<advisories::Advisory>{}; }).error().kind, ErrorKind::not_found);
}

TEST_F(Commit, TheFeedsClockOnlyGoesForward) {
  writer.commit(sha(11), {});
  std::vector<std::string> modified;
  for (int i = 12; i < 16; ++i) {
    writer.seconds = 0;  // the machine's clock stands still
    writer.commit(sha(i), {change(Part::config, Impact::breaking, "heads " + std::to_string(i))});
    modified.push_back(ask(database.path(), "SELECT max(modified) FROM advisory"));
  }
  for (std::size_t i = 1; i < modified.size(); ++i) EXPECT_EQ(std::stoll(modified[i]), std::stoll(modified[i - 1]) + 1);
  Store other = open(database.path());
  Writer elsewhere(other, "org/b", "b1");
  elsewhere.commit(sha(21), {});
  elsewhere.seconds = 0;
  elsewhere.commit(sha(22), {change(Part::config, Impact::breaking, "x")});
  EXPECT_EQ(std::stoll(ask(database.path(), "SELECT max(modified) FROM advisory")), std::stoll(modified.back()) + 1);
}

TEST_F(Commit, ARevisionWithoutAdvisoriesDoesNotMoveTheClock) {
  writer.commit(sha(11), {});
  writer.commit(sha(12), {change(Part::card, Impact::cosmetic, "words")});
  EXPECT_EQ(ask(database.path(), "SELECT last FROM feed_clock"), "0");
}

TEST_F(Commit, BytesAreStoredOnceWhateverRepositoryTheyCameWith) {
  const std::string big(100'000, 'x');
  Writer other(store, "org/b", "b1");
  writer.commit(sha(11), {}, {file("config.json", big), file("copy/config.json", big)});
  other.commit(sha(21), {}, {file("config.json", big)});
  EXPECT_EQ(ask(database.path(), "SELECT count(*) FROM blob"), "1");
  EXPECT_LT(std::stoi(ask(database.path(), "SELECT length(zstd) FROM blob")), 200);
  const auto snapshot = must(store.snapshot(other.row().repository, sha(21)));
  const auto bytes = snapshot.contents->read(*snapshot.listing.find("config.json"));
  EXPECT_EQ(*std::get<advisories::Bytes>(bytes), big);
}

TEST_F(Commit, ASnapshotIsTheListingAndWhyBytesAreMissing) {
  const std::string header("\x08\0\0\0\0\0\0\0{}      ", 16);
  StoredFile weights = lfs_file("model.safetensors", std::string(64, 'a'), 5'000'000'000);
  weights.bytes = std::make_shared<const std::string>(header);
  StoredFile masked = lfs_file("gated.bin", "", 17);
  writer.commit(sha(11), {}, {file("config.json", "{}"), weights, lfs_file("tokenizer.json", std::string(64, 'b'), 9, "gated"), masked,
                              file("empty", "")});
  const auto snapshot = must(store.snapshot(writer.row().repository, sha(11)));
  std::vector<std::string> lines;
  for (const auto& listed : snapshot.listing) {
    const auto content = snapshot.contents->read(listed);
    const auto* bytes = std::get_if<advisories::Bytes>(&content);
    lines.push_back(listed.path + " " + std::to_string(listed.size) + (listed.lfs ? " lfs " + std::to_string(listed.lfs->pointer_size) : "") +
                    (bytes ? " read " + std::to_string((*bytes)->size()) : " " + std::get<advisories::NotRead>(content).reason));
  }
  EXPECT_THAT(lines, ElementsAre("config.json 2 read 2", "empty 0 read 0", "gated.bin 17 lfs 134 not fetched",
                                 "model.safetensors 5000000000 lfs 134 read 16", "tokenizer.json 9 lfs 134 gated"));
  EXPECT_TRUE(must(store.has_blob(std::string(64, 'a'))));
  EXPECT_FALSE(must(store.has_blob(std::string(64, 'b'))));
  EXPECT_EQ(store.snapshot(writer.row().repository, sha(12)).error().kind, ErrorKind::not_found);
}

TEST_F(Commit, DamagedBytesAreNotRead) {
  writer.commit(sha(11), {}, {file("config.json", std::string(1000, 'x'))});
  ask(database.path(), "UPDATE blob SET zstd = zeroblob(20)");
  const auto snapshot = must(store.snapshot(writer.row().repository, sha(11)));
  const auto content = snapshot.contents->read(*snapshot.listing.begin());
  EXPECT_EQ(std::get<advisories::NotRead>(content).reason, "the stored bytes are damaged");
}

TEST_F(Commit, AnEarlierStateIsFoundNewestFirst) {
  writer.commit(sha(11), {});
  writer.commit(sha(12), {change(Part::config, Impact::breaking, "one")});
  writer.commit(sha(13), {});
  writer.commit(sha(14), {change(Part::config, Impact::breaking, "two")});
  const auto repository = writer.row().repository;
  EXPECT_EQ(store.earlier_state(repository, Part::config, "sha256:one")->revision, sha(13));
  EXPECT_EQ(store.earlier_state(repository, Part::config, "sha256:config")->revision, sha(11));
  EXPECT_FALSE(store.earlier_state(repository, Part::tokenizer, "sha256:one"));
}

TEST_F(Commit, ARevisionKnownFromAnotherRefKeepsItsRows) {
  Writer dev(store, "org/a", "a1", "dev");
  writer.commit(sha(11), {});
  dev.commit(sha(12), {});
  dev.commit(sha(13), {change(Part::config, Impact::breaking, "heads")});
  writer.commit(sha(13), {change(Part::config, Impact::breaking, "seen again")});
  EXPECT_THAT(stream(), ElementsAre("13 change config heads *"));
  EXPECT_THAT(shas(), ElementsAre("13", "11"));
  EXPECT_THAT(shas("dev"), ElementsAre("13", "12"));
}

TEST_F(Commit, AForcePushBackIsAnEventAndPutsTheRevisionOnTop) {
  for (int i = 11; i < 14; ++i) writer.commit(sha(i), {change(Part::config, Impact::breaking, "s" + std::to_string(i))});
  RevisionRecord back = writer.record(sha(11), {change(Part::config, Impact::breaking, "back")});
  back.rewritten = true;
  back.states = must(store.states(writer.row().repository, sha(11)));
  back.event = RepositoryEvent{"ref-moved", at(500), {{"before", sha(13)}, {"after", sha(11)}}, Impact::unknown, "The ref was set back"};
  writer.write(back);
  EXPECT_THAT(shas(), ElementsAre("11", "13", "12"));
  EXPECT_EQ(stream().back(), "11 ref-moved repository The ref was set back");
  const ChangeRow event = must(store.changes({}, 0)).back();
  EXPECT_EQ(json::write(event.detail), R"({"before":")" + sha(13) + R"(","after":")" + sha(11) + R"("})");
  EXPECT_EQ(writer.row().head, sha(11));
}

TEST_F(Commit, ARewrittenHistoryLinksItsAdvisoryToTheEvent) {
  writer.commit(sha(11), {});
  RevisionRecord rewritten = writer.record(sha(12), {});
  rewritten.rewritten = true;
  rewritten.event = RepositoryEvent{"history-rewritten", at(500), {}, Impact::unknown, "11 is gone"};
  writer.write(rewritten);
  EXPECT_THAT(stream(), ElementsAre("12 history-rewritten repository 11 is gone *"));
}

TEST_F(Commit, EventsAndWhatWasLearnedWithThemAreOneStep) {
  writer.commit(sha(11), {});
  Tracked row = writer.row();
  row.access = "gated";
  must(store.commit(row, {{"gated", at(90), {{"before", "open"}, {"after", "gated"}}, Impact::legal, "Access now needs an account"}}));
  EXPECT_THAT(stream(), ElementsAre(" gated repository Access now needs an account"));
  EXPECT_EQ(writer.row().access, "gated");

  Tracked unseen = must(store.track("org/unseen", "main", {}, at(0)));
  unseen.access = "disabled";
  must(store.commit(unseen, {{"disabled", at(90), {}, Impact::breaking, "The Hub has disabled it"}}));
  EXPECT_EQ(stream().size(), 1U);
  EXPECT_EQ(must(store.find("org/unseen")).access, "disabled");
}

}  // namespace
}  // namespace modelwatch::storage
