#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "advisories/osv/details.h"
#include "advisories/osv/markdown.h"
#include "advisories/osv/validate.h"
#include "estimator/json/reader.h"
#include "estimator/json/writer.h"
#include "samples.h"
#include "tests/support/golden.h"

namespace modelwatch::advisories {
namespace {

using namespace testing;
using ::testing::HasSubstr;
using ::testing::Not;

std::string pretty(const json::Value& value) { return json::write(value, json::Style::pretty) + "\n"; }

TEST(AdvisoryId, IsTheReferenceVectorUnderOurPrefix) {
  EXPECT_EQ(advisory_id("x_MODELWATCH", 2026, kRepository, "e32084e4e9d4ed7ec246cf6b4085c0aa05b8c3a6", Part::chat_template),
            "x_MODELWATCH-2026-0c55b8c2642d");
  EXPECT_EQ(advisory_id("x_MODELWATCH", 7, kRepository, "e32084e4e9d4ed7ec246cf6b4085c0aa05b8c3a6", Part::chat_template, 16),
            "x_MODELWATCH-0007-0c55b8c2642d" + advisory_id("", 0, kRepository, "e32084e4e9d4ed7ec246cf6b4085c0aa05b8c3a6",
                                                           Part::chat_template, 16).substr(18));
}

TEST(OsvDocument, OfEveryShapeIsGolden) {
  for (const auto& [name, advisory] : every_shape())
    modelwatch::testing::expect_golden("osv/" + name + ".json", pretty(to_osv(advisory, sample_feed())));
}

TEST(OsvDocument, OfEveryShapeReadsBackToTheSameBytes) {
  for (const auto& [name, advisory] : every_shape()) {
    const std::string written = json::write(to_osv(advisory, sample_feed()));
    const auto document = json::read(written);
    ASSERT_TRUE(document) << name << ": " << document.error().to_string();
    const auto again = from_osv(document->value);
    ASSERT_TRUE(again) << name << ": " << again.error().message;
    EXPECT_EQ(json::write(to_osv(*again, sample_feed())), written) << name;
  }
}

TEST(OsvDocument, OfEveryShapeKeepsTheRules) {
  for (const auto& [name, advisory] : every_shape())
    for (const Violation& violation : validate(json::read(json::write(to_osv(advisory, sample_feed())))->value, "x_MODELWATCH"))
      ADD_FAILURE() << name << ": " << violation.to_string();
}

/// The agreed document: ours but for the prose, and the link to a text of the difference, which no page of ours serves.
TEST(OsvDocument, IsTheAgreedShape) {
  const auto data = modelwatch::testing::shared_data();
  if (data.empty()) GTEST_SKIP() << "../shared/data is absent";
  json::Value agreed = json::read(modelwatch::testing::read_file(data / "osv/golden.json"))->value;
  const auto advisory = from_osv(agreed);
  ASSERT_TRUE(advisory) << advisory.error().message;
  const json::Value ours = to_osv(*advisory, sample_feed());
  agreed.object()->set("details", *ours.find("details"));
  json::Array kept;
  for (const json::Value& reference : *agreed.find("references")->array())
    if (*reference.find("type")->string() != "EVIDENCE") kept.push_back(reference);
  agreed.object()->set("references", kept);
  EXPECT_EQ(pretty(ours), pretty(agreed));
}

TEST(OsvDocument, CarriesNothingOfUpstreamsThatActs) {
  for (const auto& [name, advisory] : every_shape()) {
    if (name != "hostile_text") continue;
    const std::string details = details_of(advisory);
    EXPECT_FALSE(has_raw_html(details)) << details;
    EXPECT_THAT(details, HasSubstr("`````text\n"));
    EXPECT_THAT(details, HasSubstr("\\u{1b}[31m"));
    EXPECT_THAT(details, HasSubstr("\\u{202e}"));
    EXPECT_THAT(details, Not(HasSubstr("\r")));
    EXPECT_THAT(summary_of(advisory), Not(HasSubstr("script")));
  }
}

TEST(OsvDocument, IsBounded) {
  Advisory advisory = every_shape().front().second;
  advisory.findings.assign(kMostFindings, advisory.findings.front());
  for (Finding& finding : advisory.findings) finding.meaning = std::string(100'000, 'x') + "\xC3\xA4";
  EXPECT_LT(details_of(advisory).size(), 16'000u);
  EXPECT_THAT(details_of(advisory), HasSubstr("and 180 more"));
  EXPECT_EQ(plain_line("äöü", 5), "ä…");
}

TEST(OsvDocument, ThatIsNotOursIsRefused) {
  const json::Value good = to_osv(every_shape().front().second, sample_feed());
  const auto without = [&](const char* pointer, const char* key) {
    json::Value document = good;
    const_cast<json::Value*>(json::at_pointer(document, pointer))->object()->erase(key);
    return document;
  };
  EXPECT_TRUE(from_osv(good));
  EXPECT_FALSE(from_osv(json::Value()));
  EXPECT_FALSE(from_osv(json::Object{{"id", 7}}));
  EXPECT_FALSE(from_osv(without("/affected/0/database_specific", "part")));
  EXPECT_FALSE(from_osv(without("/database_specific", "significant_at")));
  EXPECT_FALSE(from_osv(without("/affected/0/ranges/0", "events")));
}

}  // namespace
}  // namespace modelwatch::advisories
