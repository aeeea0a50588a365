#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <ostream>

#include "daemon/cli/command.h"
#include "daemon/cli/open_store.h"
#include "daemon/cli/table.h"
#include "estimator/json/writer.h"

namespace modelwatch::cli {
namespace {

using storage::Access;
using storage::Store;

void print(const json::Value& document, Console& console) { console.out << json::write(document, json::Style::pretty) << '\n'; }

/// Exit 1 where something is wrong, as every verb that found something.
Result<int> check(const Program& program, Console& console) {
  return open_store(program, Access::read_only).and_then([&](Store store) -> Result<int> {
    const auto wrong = store.check();
    if (!wrong) return tl::unexpected(wrong.error());
    if (program.json) {
      print(json::Object{{"schema", "modelwatch/db-check/1"},
                         {"version", store.schema_version()},
                         {"sound", wrong->empty()},
                         {"problems", json::Array(wrong->begin(), wrong->end())}},
            console);
    } else {
      for (const std::string& problem : *wrong) console.out << printable(problem) << '\n';
      if (wrong->empty()) console.out << "sound, schema " << store.schema_version() << '\n';
      else console.err << "try: a backup made by modelwatch db backup\n";
    }
    return wrong->empty() ? 0 : 1;
  });
}

Result<int> backup(const Program& program, const std::string& target, Console& console) {
  return open_store(program, Access::read_only).and_then([&](Store store) -> Result<int> {
    if (const auto copied = store.backup(target); !copied) return tl::unexpected(copied.error());
    std::error_code ignored;
    const auto bytes = std::filesystem::file_size(target, ignored);
    if (program.json) print(json::Object{{"schema", "modelwatch/db-backup/1"}, {"file", target}, {"bytes", bytes}}, console);
    else console.out << target << ": " << bytes << " bytes\n";
    return 0;
  });
}

Result<int> migrate(const Program& program, Console& console) {
  const auto config = command_config();
  if (!config) return tl::unexpected(config.error());
  const auto before = Store::schema_of(database_path(program, *config));
  if (!before) return tl::unexpected(before.error());
  return open_store(program, *config, Access::read_write).and_then([&](const Store& store) -> Result<int> {
    const int after = store.schema_version();
    if (program.json) print(json::Object{{"schema", "modelwatch/db-migrate/1"}, {"from", *before}, {"to", after}}, console);
    else if (*before == after) console.out << "schema " << after << ", nothing to do\n";
    else console.out << "schema " << *before << " → " << after << '\n';
    return 0;
  });
}

}  // namespace

void add_db(CLI::App& app, Program& program) {
  CLI::App* noun = app.add_subcommand("db", "The database file");
  noun->require_subcommand(1);
  CLI::App* verb = noun->add_subcommand("check", "Is the file sound; exit 1 where it is not");
  verb->callback([&program] { program.run = [&program](Console& console) { return check(program, console); }; });

  auto target = std::make_shared<std::string>();
  verb = noun->add_subcommand("backup", "A consistent copy, also while the daemon writes");
  verb->add_option("FILE", *target, "File to write; must not be there yet")->required();
  verb->callback([target, &program] {
    program.run = [target, &program](Console& console) { return backup(program, *target, console); };
  });

  verb = noun->add_subcommand("migrate", "Bring an older database to this program's schema");
  verb->callback([&program] { program.run = [&program](Console& console) { return migrate(program, console); }; });
}

}  // namespace modelwatch::cli
