#include "advisories/feed/tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <map>

#include "../osv/samples.h"
#include "advisories/feed/archive.h"
#include "advisories/feed/verify.h"
#include "estimator/json/writer.h"
#include "tests/support/golden.h"
#include "tests/support/temp_folder.h"

namespace modelwatch::advisories {
namespace {

namespace fs = std::filesystem;
using modelwatch::testing::read_file;
using modelwatch::testing::TempFolder;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A feed in memory.
class Feed {
 public:
  void put(const Advisory& advisory) { records_[advisory.id] = advisory; }
  void erase(const std::string& id) { records_.erase(id); }
  Advisory& at(std::size_t index) { return std::next(records_.begin(), std::ptrdiff_t(index))->second; }
  std::size_t size() const { return records_.size(); }

  FeedRecords records() {
    return [this](const auto& wanted, const auto& visit) -> Result<void> {
      std::vector<FeedEntry> entries;
      for (const auto& [id, a] : records_) entries.push_back({id, a.modified});
      sort_as_feed(entries);
      for (const FeedEntry& entry : entries)
        if (wanted(entry.id, entry.modified)) visit(entry, json::write(to_osv(records_.at(entry.id), testing::sample_feed())));
      return {};
    };
  }

 private:
  std::map<std::string, Advisory> records_;
};

Feed sample() {
  Feed feed;
  for (const auto& [name, advisory] : testing::every_shape()) feed.put(advisory);
  return feed;
}

std::map<std::string, std::string> everything(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& file : fs::recursive_directory_iterator(folder))
    if (file.is_regular_file()) files[fs::relative(file.path(), folder)] = read_file(file.path());
  return files;
}

TEST(FeedTree, IsTheBucketLayoutAndVerifies) {
  TempFolder folder;
  Feed feed = sample();
  const auto report = write_feed_tree(folder.path() / "new", feed.records());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->written, feed.size());
  const auto files = everything(folder.path() / "new");
  EXPECT_EQ(files.size(), feed.size() + 6);
  EXPECT_EQ(files.at("ecosystems.txt"), "GIT\n");
  EXPECT_EQ(files.at("all.zip"), files.at("GIT/all.zip"));
  EXPECT_THAT(files.at("modified_id.csv"), HasSubstr(",GIT/x_MODELWATCH-2026-"));
  const auto verdict = verify_feed_tree(folder.path() / "new", "x_MODELWATCH");
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->records, feed.size());
  EXPECT_THAT(verdict->problems, IsEmpty());
}

TEST(FeedTree, IsTheSameWhetherWrittenAtOnceOrStepByStep) {
  TempFolder step_by_step, at_once;
  Feed feed;
  for (const auto& [name, advisory] : testing::every_shape()) {
    feed.put(advisory);
    ASSERT_TRUE(write_feed_tree(step_by_step.path(), feed.records()));
  }
  feed.at(3).modified += std::chrono::hours(24);
  feed.at(7).modified += std::chrono::hours(25);
  const auto report = write_feed_tree(step_by_step.path(), feed.records());
  EXPECT_EQ(report->written, 2u);
  ASSERT_TRUE(write_feed_tree(at_once.path(), feed.records()));
  EXPECT_EQ(everything(step_by_step.path()), everything(at_once.path()));
}

TEST(FeedTree, TouchesNothingWhereNothingChanged) {
  TempFolder folder;
  Feed feed = sample();
  ASSERT_TRUE(write_feed_tree(folder.path(), feed.records()));
  const auto written = fs::last_write_time(folder.path() / "all.zip");
  const auto report = write_feed_tree(folder.path(), feed.records());
  EXPECT_TRUE(report->unchanged);
  EXPECT_EQ(fs::last_write_time(folder.path() / "all.zip"), written);
}

TEST(FeedTree, DropsWhatIsNoLongerInTheFeedAndNothingElse) {
  TempFolder folder;
  Feed feed = sample();
  ASSERT_TRUE(write_feed_tree(folder.path(), feed.records()));
  const std::string gone = feed.at(2).id;
  feed.erase(gone);
  std::ofstream(folder.path() / "GIT/README.txt") << "not ours";
  const auto report = write_feed_tree(folder.path(), feed.records());
  EXPECT_EQ(report->removed, 1u);
  EXPECT_FALSE(fs::exists(folder.path() / "GIT" / (gone + ".json")));
  EXPECT_TRUE(fs::exists(folder.path() / "GIT/README.txt"));
}

/// Whatever a run that was cut off left behind, the next one completes.
TEST(FeedTree, RecoversFromAHalfWrittenFolder) {
  Feed feed = sample();
  TempFolder reference;
  ASSERT_TRUE(write_feed_tree(reference.path(), feed.records()));
  const auto expected = everything(reference.path());
  for (const char* lost : {"GIT/modified_id.csv", "modified_id.csv", "list.json", "ecosystems.txt", "GIT/all.zip", "all.zip"}) {
    TempFolder folder;
    ASSERT_TRUE(write_feed_tree(folder.path(), feed.records()));
    fs::remove(folder.path() / lost);
    fs::remove(folder.path() / "GIT" / (feed.at(4).id + ".json"));
    std::ofstream(folder.path() / "GIT/x.json.part") << "{";
    std::ofstream(folder.path() / "all.zip.part") << "PK";
    ASSERT_TRUE(write_feed_tree(folder.path(), feed.records())) << lost;
    EXPECT_EQ(everything(folder.path()), expected) << lost;
  }
  TempFolder folder;
  ASSERT_TRUE(write_feed_tree(folder.path(), feed.records()));
  std::ofstream(folder.path() / "GIT/all.zip", std::ios::trunc) << "no archive";
  feed.at(0).modified += std::chrono::hours(1);
  ASSERT_TRUE(write_feed_tree(folder.path(), feed.records()));
  EXPECT_THAT(verify_feed_tree(folder.path(), "x_MODELWATCH")->problems, IsEmpty());
}

TEST(FeedTree, IsWrittenByOneAtATime) {
  TempFolder folder;
  Feed feed = sample();
  ASSERT_TRUE(write_feed_tree(folder.path(), feed.records()));
  const int fd = ::open((folder.path() / "GIT").c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  EXPECT_THAT(write_feed_tree(folder.path(), feed.records()).error().message, HasSubstr("another export"));
  ::close(fd);
  EXPECT_TRUE(write_feed_tree(folder.path(), feed.records()));
}

TEST(FeedTree, SaysWhyItCannotBeWritten) {
  TempFolder folder;
  std::ofstream(folder.path() / "file") << "x";
  Feed feed = sample();
  EXPECT_FALSE(write_feed_tree(folder.path() / "file", feed.records()));
  const auto broken = [](const auto&, const auto&) -> Result<void> { return fail(ErrorKind::database, "disk"); };
  EXPECT_EQ(write_feed_tree(folder.path() / "other", broken).error().message, "disk");
}

TEST(FeedVerify, SeesEachWayATreeCanBeWrong) {
  const struct {
    const char* what;
    std::function<void(const fs::path&, Feed&)> harm;
    const char* said;
  } rows[] = {
      {"a record is missing", [](const fs::path& f, Feed& feed) { fs::remove(f / "GIT" / (feed.at(0).id + ".json")); }, "missing"},
      {"a record is cut", [](const fs::path& f, Feed& feed) { std::ofstream(f / "GIT" / (feed.at(0).id + ".json")) << "{\"id\":"; }, "line 1"},
      {"a record breaks a rule",
       [](const fs::path& f, Feed& feed) {
         const auto path = f / "GIT" / (feed.at(0).id + ".json");
         std::string text = read_file(path);
         text.replace(text.find("\"1.9.0\""), 7, "\"1.0.0\"");
         std::ofstream(path) << text;
       },
       "schema_version"},
      {"two records are exchanged",
       [](const fs::path& f, Feed& feed) {
         fs::copy_file(f / "GIT" / (feed.at(0).id + ".json"), f / "GIT" / (feed.at(1).id + ".json"), fs::copy_options::overwrite_existing);
       },
       "holds another id"},
      {"a stray record", [](const fs::path& f, Feed&) { std::ofstream(f / "GIT/x_MODELWATCH-2026-000000000000.json") << "{}"; }, "in no list"},
      {"a list is of before", [](const fs::path& f, Feed&) { std::ofstream(f / "list.json") << "[]\n"; }, "does not agree"},
      {"a list is no list", [](const fs::path& f, Feed&) { std::ofstream(f / "GIT/modified_id.csv") << "x\n"; }, "a line is not"},
      {"an archive is of before",
       [](const fs::path& f, Feed& feed) {
         ArchiveWriter writer(f / "all.zip.new");
         writer.add(feed.at(0).id + ".json", feed.at(0).modified, "{}");
         writer.finish();
         fs::rename(f / "all.zip.new", f / "all.zip");
       },
       "holds 1 of"},
      {"an archive is damaged", [](const fs::path& f, Feed&) { fs::resize_file(f / "GIT/all.zip", 100); }, "no sound zip"},
  };
  for (const auto& row : rows) {
    TempFolder folder;
    Feed feed = sample();
    ASSERT_TRUE(write_feed_tree(folder.path(), feed.records()));
    row.harm(folder.path(), feed);
    const auto verdict = verify_feed_tree(folder.path(), "x_MODELWATCH");
    ASSERT_TRUE(verdict) << row.what;
    EXPECT_THAT(verdict->problems, Contains(HasSubstr(row.said))) << row.what;
    EXPECT_GT(verdict->broken, 0u);
  }
  TempFolder empty;
  EXPECT_EQ(verify_feed_tree(empty.path(), "x_MODELWATCH").error().kind, ErrorKind::not_found);
}

}  // namespace
}  // namespace modelwatch::advisories
