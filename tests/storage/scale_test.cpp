#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <sstream>

#include "tests/storage/database.h"

namespace modelwatch::storage {
namespace {

using std::chrono::steady_clock;

double milliseconds_since(steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(steady_clock::now() - start).count();
}

long resident_kilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return std::stol(line.substr(6));
  return 0;
}

/// Sanitizers and shared machines take several times as long: the limits only tell a scan from a look-up.
TEST(Scale, TenThousandTrackedRepositories) {
  TemporaryDatabase database;
  {
    Store store = open(database.path());
    must(store.track("org/name-0", "main", {}, at(0)));
  }
  std::ostringstream sql;
  sql << "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 9999) "
         "INSERT INTO tracked (name, ref, polled, next_check, added) SELECT 'org/name-' || i, 'main', 1, 1787217124 + i % 600, 0 FROM n";
  ask(database.path(), sql.str());

  const long before = resident_kilobytes();
  Store store = open(database.path());
  auto start = steady_clock::now();
  EXPECT_EQ(must(store.polled()).size(), 10'000U);
  const double polled = milliseconds_since(start);
  start = steady_clock::now();
  for (int i = 0; i < 1000; ++i) must(store.find("org/name-" + std::to_string(i * 7)));
  const double found = milliseconds_since(start);
  RecordProperty("polled_ms", std::to_string(polled));
  RecordProperty("thousand_finds_ms", std::to_string(found));
  EXPECT_LT(polled, 500);
  EXPECT_LT(found, 1000);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_LT(resident_kilobytes() - before, 16'000);
#else
  (void)before;
#endif
}

}  // namespace
}  // namespace modelwatch::storage
