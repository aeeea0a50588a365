#include "advisories/timestamp.h"

#include <gtest/gtest.h>

namespace modelwatch::advisories {
namespace {

TEST(Timestamp, IsWrittenAndReadInOneForm) {
  for (const char* text : {"2026-08-20T09:12:04Z", "1970-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2024-02-29T23:59:59Z"}) {
    const auto time = parse_rfc3339(text);
    ASSERT_TRUE(time) << text;
    EXPECT_EQ(rfc3339(*time), text);
  }
  EXPECT_EQ(parse_rfc3339("2026-08-20T09:12:04.987Z"), parse_rfc3339("2026-08-20T09:12:04Z"));
  EXPECT_EQ(year_of(*parse_rfc3339("2025-12-31T23:59:59Z")), 2025);
}

TEST(Timestamp, OfAnyOtherFormIsRefused) {
  for (const char* text : {"", "2026-08-20", "2026-08-20T09:12:04", "2026-08-20T09:12:04+00:00", "2026-08-20t09:12:04Z", "2026-08-20T09:12:04z",
                           "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2026-08-20T24:00:00Z", "2026-08-20T09:60:04Z", "zz2026-08-20T09:12:04Z",
                           "2026-08-20T09:12:04.Z", "2026-08-20T09:12:04.1xZ", "2026-08-20T09:12:04ZZ", "-026-08-20T09:12:04Z"})
    EXPECT_EQ(parse_rfc3339(text), std::nullopt) << text;
}

}  // namespace
}  // namespace modelwatch::advisories
