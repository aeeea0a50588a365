#include <gmock/gmock.h>

#include <algorithm>

#include "advisories/osv/ledger.h"
#include "estimator/json/reader.h"
#include "tests/storage/database.h"

namespace modelwatch::storage {
namespace {

using advisories::Impact;
using advisories::Part;
using testing::ElementsAre;
using testing::IsEmpty;

class Documents : public testing::Test {
 protected:
  std::vector<std::string> ids(const DocumentPage& page) {
    std::vector<std::string> found;
    for (const DocumentRow& row : page.rows) found.push_back(row.id);
    return found;
  }
  Store store = open(":memory:");
  Writer writer{store, "org/a", "a1"};
};

TEST_F(Documents, ARevisionMatchesTheChangeThatExplainsItsState) {
  writer.commit(sha(11), {});
  writer.commit(sha(12), {change(Part::config, Impact::breaking, "one")});
  writer.commit(sha(13), {change(Part::card, Impact::cosmetic, "words")});
  writer.commit(sha(14), {change(Part::config, Impact::breaking, "two")});
  const auto at = [&](int number) { return ids(must(store.advisories_by_commit(sha(number), {}, 10))); };
  EXPECT_THAT(at(11), IsEmpty());
  ASSERT_EQ(at(12).size(), 1U);
  EXPECT_EQ(at(13), at(12));
  ASSERT_EQ(at(14).size(), 1U);
  EXPECT_NE(at(14), at(12));
  EXPECT_EQ(ids(must(store.advisories_by_version("org/a", sha(13), {}, 10))), at(13));
  EXPECT_THAT(ids(must(store.advisories_by_version("org/b", sha(13), {}, 10))), IsEmpty());
  EXPECT_THAT(ids(must(store.advisories_by_package("org/a", {}, 10))), testing::UnorderedElementsAre(at(12)[0], at(14)[0]));
  EXPECT_EQ(must(store.advisory(at(12)[0])).id, at(12)[0]);
  EXPECT_EQ(store.advisory("x_MODELWATCH-2026-000000000000").error().kind, ErrorKind::not_found);
  EXPECT_TRUE(must(store.knows_commit(sha(11))));
  EXPECT_FALSE(must(store.knows_commit(sha(99))));
}

TEST_F(Documents, ReadBackAsTheyWereWritten) {
  writer.commit(sha(11), {});
  writer.commit(sha(12), {change(Part::config, Impact::breaking, "one")});
  const auto repository = writer.row().repository;
  const auto all = must(store.all_advisories(repository));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].versions, std::vector{sha(12)});
  EXPECT_EQ(all[0].findings.at(0).meaning, "one");
  EXPECT_EQ(must(store.advisories_at(repository, sha(12))).at(0).id, all[0].id);
  EXPECT_THAT(must(store.advisories_at(repository, sha(11))), IsEmpty());
  EXPECT_THAT(must(store.advisories_at(repository + 1, sha(12))), IsEmpty());
}

TEST_F(Documents, WithdrawnOnesMatchNothingAndStayReadable) {
  writer.commit(sha(11), {});
  writer.commit(sha(12), {change(Part::config, Impact::breaking, "one")});
  const auto advisory = must(store.all_advisories(writer.row().repository)).at(0);
  RevisionRecord next = writer.record(sha(13), {});
  must(store.commit(next, [&](Time clock) { return std::vector{advisories::withdrawn(advisory, "false detection", clock)}; }));
  EXPECT_THAT(must(store.advisories_by_commit(sha(12), {}, 10)).rows, IsEmpty());
  EXPECT_THAT(must(store.advisories_by_version("org/a", sha(12), {}, 10)).rows, IsEmpty());
  EXPECT_THAT(must(store.advisories_by_package("org/a", {}, 10)).rows, IsEmpty());
  EXPECT_THAT(must(store.advisories_at(writer.row().repository, sha(12))), IsEmpty());
  EXPECT_EQ(must(store.documents("org/a", {}, 10)).rows.size(), 1U);
  EXPECT_EQ(must(store.advisory(advisory.id)).id, advisory.id);
}

/// Forty changes in two repositories, each closing the one before.
class Feed : public Documents {
 protected:
  void SetUp() override {
    Writer other(store, "org/b", "b1");
    writer.commit(sha(100), {});
    other.commit(sha(200), {});
    for (int i = 1; i <= 20; ++i) {
      writer.commit(sha(100 + i), {change(Part::config, Impact::breaking, "a" + std::to_string(i))});
      other.commit(sha(200 + i), {change(Part::config, Impact::breaking, "b" + std::to_string(i))});
    }
  }
  std::vector<DocumentRow> all() {
    std::vector<DocumentRow> rows;
    must(store.each_document([](std::string_view, Time) { return true; }, [&](const DocumentRow& row) { rows.push_back(row); }));
    return rows;
  }
};

TEST_F(Feed, IsNewestFirstThenById) {
  const auto rows = all();
  ASSERT_EQ(rows.size(), 40U);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end(), [](const DocumentRow& a, const DocumentRow& b) {
    return a.modified != b.modified ? a.modified > b.modified : a.id < b.id;
  }));
  EXPECT_EQ(rows[0].modified, rows[1].modified) << "one that closes and one that is closed";
  EXPECT_THAT(rows[0].document, testing::HasSubstr("\"id\":\"" + rows[0].id + "\""));
}

TEST_F(Feed, OnlyWantedDocumentsAreRead) {
  const std::string second = all()[1].id;
  std::vector<std::string> seen;
  must(store.each_document([&](std::string_view id, Time) { return id == second; },
                           [&](const DocumentRow& row) { seen.push_back(row.id); }));
  EXPECT_THAT(seen, ElementsAre(second));
}

TEST_F(Feed, PagesTogetherAreTheWhole) {
  const auto follow = [&](auto page_after, int limit) {
    std::vector<std::string> found;
    Store::After after;
    do {
      const DocumentPage page = must(page_after(after, limit));
      EXPECT_LE(page.rows.size(), std::size_t(limit));
      for (const std::string& id : ids(page)) found.push_back(id);
      after = page.next;
    } while (after);
    return found;
  };
  std::vector<std::string> whole, of_a;
  for (const DocumentRow& row : all()) {
    whole.push_back(row.id);
    if (row.document.find("org/a") != std::string::npos) of_a.push_back(row.id);
  }
  for (const int limit : {1, 7, 39, 40, 41}) {
    EXPECT_EQ(follow([&](const auto& after, int n) { return store.documents("", after, n); }, limit), whole) << limit;
    EXPECT_EQ(follow([&](const auto& after, int n) { return store.documents("org/a", after, n); }, limit), of_a) << limit;
    EXPECT_EQ(follow([&](const auto& after, int n) { return store.advisories_by_package("org/a", after, n); }, limit), of_a) << limit;
  }
}

TEST_F(Feed, NewsIsByTheLastSignificantChange) {
  const auto before = must(store.news("", Impact::cosmetic, 3));
  ASSERT_EQ(before.size(), 3U);
  writer.commit(sha(140), {});  // the open advisory of org/a gets one more revision: no news
  const auto after = must(store.news("", Impact::cosmetic, 3));
  EXPECT_EQ(after[0].id, before[0].id);
  EXPECT_EQ(must(store.documents("", {}, 1)).rows[0].document.find("org/a") != std::string::npos, true);
  writer.commit(sha(141), {change(Part::code, Impact::security, "remote code")});
  EXPECT_EQ(must(store.news("", Impact::security, 5)).size(), 1U);
  EXPECT_EQ(must(store.news("org/b", Impact::breaking, 50)).size(), 20U);
}

TEST_F(Feed, ACommitThatManyAdvisoriesListComesInPagesToo) {
  std::vector<advisories::Change> changes;
  for (const Part part : {Part::config, Part::generation, Part::tokenizer, Part::weights, Part::code, Part::license})
    changes.push_back(change(part, Impact::breaking, "all at once"));
  writer.commit(sha(150), std::move(changes));
  const auto whole = ids(must(store.advisories_by_commit(sha(150), {}, 100)));
  ASSERT_EQ(whole.size(), 6U);
  std::vector<std::string> found;
  Store::After after;
  do {
    const DocumentPage page = must(store.advisories_by_version("org/a", sha(150), after, 4));
    for (const std::string& id : ids(page)) found.push_back(id);
    after = page.next;
  } while (after);
  EXPECT_EQ(found, whole);
}

}  // namespace
}  // namespace modelwatch::storage
