#include <gmock/gmock.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <sstream>

#include "daemon/cli/command.h"
#include "storage/store.h"
#include "tests/support/temp_folder.h"

namespace modelwatch::cli {
namespace {

using ::testing::HasSubstr;

class DbVerbs : public ::testing::Test {
 protected:
  void SetUp() override { ::setenv("MODELWATCH_CONFIG", "/dev/null", 1); }
  std::string path(const char* name) const { return (folder_.path() / name).string(); }

  /// Exit code, then what was printed; an error as main prints it.
  std::string run(std::vector<std::string> words) {
    CLI::App app;
    Program program;
    app.add_option("--db", program.db);
    app.add_flag("--json", program.json);
    app.fallthrough();
    add_db(app, program);
    words.insert(words.begin(), {"--db", path("modelwatch.db")});
    std::reverse(words.begin(), words.end());
    app.parse(words);
    std::ostringstream out, err;
    Console console{out, err, false, false};
    const auto code = program.run(console);
    if (!code) return std::to_string(exit_code(code.error().kind)) + " " + code.error().message + " | " + code.error().hint;
    return std::to_string(*code) + " " + out.str() + err.str();
  }
  void create() { ASSERT_TRUE(storage::Store::open(path("modelwatch.db"), storage::Access::read_write)); }

  modelwatch::testing::TempFolder folder_;
};

TEST_F(DbVerbs, CheckASoundOne) {
  create();
  EXPECT_EQ(run({"db", "check"}), "0 sound, schema 1\n");
  EXPECT_EQ(run({"db", "check", "--json"}),
            "0 {\n  \"schema\": \"modelwatch/db-check/1\",\n  \"version\": 1,\n  \"sound\": true,\n  \"problems\": []\n}\n");
}

TEST_F(DbVerbs, CheckADamagedOne) {
  create();
  std::fstream file(path("modelwatch.db"), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(3 * 4096);
  file << std::string(4096, '\xff');
  file.close();
  const std::string told = run({"db", "check"});
  EXPECT_TRUE(told.starts_with("1 ") || told.starts_with("5 ")) << told;
  EXPECT_THAT(told, HasSubstr("backup"));
}

TEST_F(DbVerbs, BackupIsADatabaseOfItsOwn) {
  create();
  EXPECT_THAT(run({"db", "backup", path("copy.db")}), HasSubstr("0 " + path("copy.db") + ": "));
  EXPECT_TRUE(storage::Store::open(path("copy.db"), storage::Access::read_only));
  EXPECT_EQ(run({"db", "backup", path("copy.db")}), "2 " + path("copy.db") + " is there already | another name, or remove it first");
}

TEST_F(DbVerbs, MigrateSaysFromWhereToWhere) {
  EXPECT_THAT(run({"db", "migrate"}), HasSubstr("5 "));
  std::ofstream(path("modelwatch.db")).close();
  EXPECT_EQ(run({"db", "migrate"}), "0 schema 0 → 1\n");
  EXPECT_EQ(run({"db", "migrate"}), "0 schema 1, nothing to do\n");
  EXPECT_EQ(run({"--json", "db", "migrate"}), "0 {\n  \"schema\": \"modelwatch/db-migrate/1\",\n  \"from\": 1,\n  \"to\": 1\n}\n");
}

TEST_F(DbVerbs, WithoutADatabaseTheySayHowToBegin) {
  EXPECT_THAT(run({"db", "check"}), HasSubstr("3 there is no database at "));
}

}  // namespace
}  // namespace modelwatch::cli
