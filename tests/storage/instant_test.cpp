#include "storage/instant.h"

#include <gtest/gtest.h>

#include "storage/row_json.h"

namespace modelwatch::storage {
namespace {

struct Case {
  const char* text;
  const char* instant;  ///< null where it is none
};

TEST(Instant, IsReadFromWhatPeopleWrite) {
  constexpr Case cases[] = {
      {"2026-08-20", "2026-08-20T00:00:00Z"},
      {"2026-08-20T09:12Z", "2026-08-20T09:12:00Z"},
      {"2026-08-20T09:12:04Z", "2026-08-20T09:12:04Z"},
      {"2026-08-20 09:12:04", "2026-08-20T09:12:04Z"},
      {"2026-08-20T09:12:04.999Z", "2026-08-20T09:12:04Z"},
      {"2024-02-29", "2024-02-29T00:00:00Z"},
      {"2026-02-29", nullptr},
      {"2026-13-01", nullptr},
      {"2026-08-20T24:00:00Z", nullptr},
      {"2026-08-20T09:60:00Z", nullptr},
      {"2026-08-20T", nullptr},
      {"2026-08-20T09:12:04+02:00", nullptr},
      {"2026-08-20Z", nullptr},
      {"20260820", nullptr},
      {"yesterday", nullptr},
      {"", nullptr},
  };
  for (const Case& c : cases) {
    const auto read = parse_instant(c.text);
    EXPECT_EQ(read ? to_text(*read) : "none", c.instant ? c.instant : "none") << c.text;
  }
}

TEST(Cursor, IsDigitsAlone) {
  EXPECT_EQ(parse_cursor("42"), 42);
  EXPECT_EQ(parse_cursor("0"), 0);
  for (const char* text : {"", "-1", "+1", "4 2", "42x", "99999999999999999999"}) EXPECT_FALSE(parse_cursor(text)) << text;
}

}  // namespace
}  // namespace modelwatch::storage
