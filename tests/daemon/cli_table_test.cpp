#include "daemon/cli/table.h"

#include <gtest/gtest.h>

#include <sstream>

#include "daemon/cli/since.h"
#include "daemon/cli/source.h"

namespace modelwatch::cli {
namespace {

TEST(Table, ColumnsAreAsWideAsTheirLongestCell) {
  Table table({"part", "impact", "title"});
  table.add({"config", "breaking", "eos → list"});
  table.add({"card", "cosmetic", ""});
  std::ostringstream out;
  table.print(out, false);
  EXPECT_EQ(out.str(), "part    impact    title\nconfig  breaking  eos → list\ncard    cosmetic  \n");
}

TEST(Table, UpstreamCannotPaintTheTerminal) {
  EXPECT_EQ(printable("a\x1b[31mred\r\nnext\x7f"), "a?[31mred  next?");
  EXPECT_EQ(printable("äöüäöü", 4), "äöü…");
  EXPECT_EQ(printable("äöüä", 4), "äöüä");
}

TEST(Since, DatesAndTimes) {
  using namespace std::chrono;
  EXPECT_EQ(parse_time("2026-10-03"), sys_days(2026y / 10 / 3));
  EXPECT_EQ(parse_time("2026-10-03T09:12:04Z"), sys_days(2026y / 10 / 3) + 9h + 12min + 4s);
  for (const char* wrong : {"", "2026", "2026-13-01", "2026-02-30", "2026-10-03T25:00:00Z", "2026-10-03T09:12:04+02:00", "1234567"}) {
    EXPECT_EQ(parse_time(wrong), std::nullopt) << wrong;
  }
}

}  // namespace
}  // namespace modelwatch::cli
