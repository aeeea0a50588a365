#include "tests/e2e/dump.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

namespace modelwatch::e2e {

namespace {

struct Part {
  const char* title;
  const char* sql;
};

/// A revision as text: repository and sha.
#define REVISION "(SELECT p.hub_id || '@' || r.sha FROM revision r JOIN repository p ON p.id = r.repository WHERE r.id = "
#define REPOSITORY "(SELECT hub_id FROM repository WHERE id = "

constexpr Part kParts[] = {
    {"repository", "SELECT hub_id, name FROM repository ORDER BY hub_id"},
    {"alias", "SELECT " REPOSITORY "repository), name, until IS NULL FROM alias ORDER BY 1, 2, 3"},
    {"tracked", "SELECT " REPOSITORY "repository), name, ref, history, polled, head, access, misses, last_error FROM tracked ORDER BY 1, 2, 3"},
    {"revision", "SELECT " REVISION "revision.id), parent, committed, title, authors, rewritten, impact, parts, plan, plan_change FROM revision ORDER BY 1"},
    {"place", "SELECT t.name, t.ref, rank() OVER (PARTITION BY t.id ORDER BY position), " REVISION "place.revision) FROM place JOIN tracked t ON t.id = tracked ORDER BY 1, 2, 3"},
    {"file", "SELECT " REVISION "file.revision), path.path, o.identity, o.oid, o.size, file.not_read FROM file JOIN path ON path.id = file.path JOIN object o ON o.id = file.object ORDER BY 1, 2"},
    {"blob", "SELECT identity, size, hex(zstd) FROM blob ORDER BY 1"},
    {"state", "SELECT " REVISION "state.revision), part, digest FROM state ORDER BY 1, 2"},
    {"change", "SELECT " REPOSITORY "repository), " REVISION "change.revision), event, part, impact, advisory, summary, findings, detail FROM change ORDER BY 1, 2, 3, 4"},
    {"advisory", "SELECT id, " REPOSITORY "repository), introduced, withdrawn IS NULL, document FROM advisory ORDER BY 1"},
    {"advisory_version", "SELECT a.id, sha FROM advisory_version JOIN advisory a ON a.row = advisory ORDER BY 1, 2"},
};

std::string without_clock(const std::string& text) {
  static const std::regex times(R"re("(modified|published|significant_at|withdrawn)":"[^"]*")re");
  return std::regex_replace(text, times, "\"$1\":\"…\"");
}

}  // namespace

std::string dump(const std::string& database) {
  sqlite3* db = nullptr;
  EXPECT_EQ(sqlite3_open_v2(database.c_str(), &db, SQLITE_OPEN_READWRITE, nullptr), SQLITE_OK);
  std::string out;
  for (const Part& part : kParts) {
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(db, part.sql, -1, &statement, nullptr), SQLITE_OK) << part.title << ": " << sqlite3_errmsg(db);
    if (!statement) continue;
    while (sqlite3_step(statement) == SQLITE_ROW) {
      out += part.title;
      for (int i = 0; i < sqlite3_column_count(statement); ++i) {
        const unsigned char* text = sqlite3_column_text(statement, i);
        out += " | " + (text ? without_clock(reinterpret_cast<const char*>(text)) : std::string("-"));
      }
      out += '\n';
    }
    sqlite3_finalize(statement);
  }
  sqlite3_close(db);
  return out;
}

std::string difference(const std::string& a, const std::string& b) {
  const auto lines = [](const std::string& text) {
    std::multiset<std::string> all;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) all.insert(line);
    return all;
  };
  const auto in_a = lines(a), in_b = lines(b);
  std::vector<std::string> only_a, only_b;
  std::set_difference(in_a.begin(), in_a.end(), in_b.begin(), in_b.end(), std::back_inserter(only_a));
  std::set_difference(in_b.begin(), in_b.end(), in_a.begin(), in_a.end(), std::back_inserter(only_b));
  std::string out;
  for (const std::string& line : only_a) out += "- " + line + "\n";
  for (const std::string& line : only_b) out += "+ " + line + "\n";
  return out;
}

std::string integrity(const std::string& database) {
  sqlite3* db = nullptr;
  EXPECT_EQ(sqlite3_open_v2(database.c_str(), &db, SQLITE_OPEN_READWRITE, nullptr), SQLITE_OK);
  std::string said;
  const auto take = [](void* to, int, char** columns, char**) {
    *static_cast<std::string*>(to) += columns[0] ? columns[0] : "";
    return 0;
  };
  sqlite3_exec(db, "PRAGMA integrity_check; PRAGMA foreign_key_check", take, &said, nullptr);
  sqlite3_close(db);
  return said;
}

}  // namespace modelwatch::e2e
