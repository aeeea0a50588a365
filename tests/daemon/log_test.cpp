#include "daemon/log.h"

#include <gtest/gtest.h>

namespace modelwatch::log {
namespace {

TEST(Log, LinesReadByPeopleAndPrograms) {
  EXPECT_EQ(line("stopped", {}), "stopped");
  EXPECT_EQ(line("changed", {{"repo", "org/name"}, {"summary", "eos id 2 → 3"}}), "changed repo=org/name summary=\"eos id 2 → 3\"");
  EXPECT_EQ(line("e", {{"empty", ""}, {"quote", "a\"b\\"}, {"equals", "a=b"}}), R"(e empty="" quote="a\"b\\" equals="a=b")");
}

TEST(Log, UpstreamCannotForgeALine) {
  EXPECT_EQ(line("e", {{"title", "x\n2026-01-01T00:00:00Z info forged\x1b[31m"}}),
            R"(e title="x\x0a2026-01-01T00:00:00Z info forged\x1b[31m")");
}

TEST(Log, LongValuesAreCut) { EXPECT_EQ(line("e", {{"v", std::string(1000, 'a')}}).size(), std::string("e v=\"…\"").size() + 400); }

}  // namespace
}  // namespace modelwatch::log
