#include <gmock/gmock.h>

#include "tests/daemon/http/site.h"

namespace modelwatch::http {
namespace {

using testing::HasSubstr;

class BadgeRoute : public SiteTest {
 protected:
  std::string message(const std::string& target) {
    const json::Value badge = document(get("/badge/" + target));
    return *badge.find("message")->string() + (*badge.find("isError")->boolean() ? " !" : "");
  }
};

TEST_F(BadgeRoute, SaysTheNewestChangeThatALoaderSees) {
  EXPECT_EQ(message("org/a.json"), "breaking 2026-08-20");
  EXPECT_EQ(message("org/b.json"), "security 2026-08-20");
  EXPECT_EQ(message("org/unknown.json"), "not tracked !");
  EXPECT_EQ(message("gpt2.json"), "not tracked !");
}

TEST_F(BadgeRoute, OfAPinSaysHowFarTheHeadHasGone) {
  EXPECT_EQ(message("org/a.json?rev=" + sha(14)), "current");
  EXPECT_EQ(message("org/a.json?rev=" + sha(13).substr(0, 7)), "1 behind, breaking");
  EXPECT_EQ(message("org/a.json?rev=" + sha(11)), "3 behind, breaking");
  EXPECT_EQ(message("org/a.json?rev=" + sha(99)), "revision unknown !");
  EXPECT_EQ(error(get("/badge/org/a.json?rev=1")), "400 rev needs at least 7 digits of a sha");
  EXPECT_EQ(error(get("/badge/org/a.json?revision=1")), "400 no such parameter: revision");
}

TEST_F(BadgeRoute, SaysWhatBecameOfARepository) {
  auto row = storage::must(store.find("org/a"));
  row.access = "gone";
  storage::must(store.update(row));
  EXPECT_EQ(message("org/a.json"), "gone");
  storage::must(store.track("org/new", "main", {}, storage::at(0)));
  EXPECT_EQ(message("org/new.json"), "not read yet !");
  row = storage::must(store.find("org/b"));
  storage::must(store.identify(row.id, "b2", "org/b", storage::at(1)));
  EXPECT_EQ(message("org/b.json"), "not read yet !");
}

TEST_F(BadgeRoute, IsAPicture) {
  const Reply reply = get("/badge/org/a.svg");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.content_type, "image/svg+xml");
  EXPECT_TRUE(reply.body.starts_with("<svg xmlns=")) << reply.body;
  EXPECT_THAT(reply.body, HasSubstr(">breaking 2026-08-20</text>"));
  EXPECT_EQ(get("/badge/org/a.png").status, 404);
  EXPECT_EQ(get("/badge/.svg").status, 404);
}

}  // namespace
}  // namespace modelwatch::http
