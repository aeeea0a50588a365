#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>

#include "daemon/config.h"
#include "daemon/instance.h"
#include "daemon/log.h"
#include "daemon/loop.h"

namespace {

using namespace modelwatch;

int report(const Error& error, int code) {
  std::cerr << "modelwatchd: " << error.message << '\n';
  if (!error.hint.empty()) std::cerr << "try: " << error.hint << '\n';
  return code;
}

/// 2 configuration, 5 database; as the command line's exit codes.
int code_of(const Error& error) { return error.kind == ErrorKind::database ? 5 : 2; }

int run(const std::string& config_file, const std::string& database_file) {
  const Environment environment = process_environment();
  const auto load = [&] { return load_config(config_file, environment); };
  auto config = load();
  if (!config) return report(config.error(), code_of(config.error()));
  log::open(config->log_level);
  const std::string database = find_database(database_file, *config, environment);
  std::error_code ignored;  // where the folder cannot be made, opening says why
  std::filesystem::create_directories(std::filesystem::path(database).parent_path(), ignored);
  const auto instance = Instance::claim(database);
  if (!instance) return report(instance.error(), code_of(instance.error()));
  Loop loop(std::move(*config), database, load);
  const auto ended = loop.run();
  return ended ? 0 : report(ended.error(), code_of(ended.error()));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Watches model repositories and writes an advisory for each change that matters.", "modelwatchd"};
  std::string config_file, database_file;
  app.add_option("--config", config_file, "Configuration file (default: MODELWATCH_CONFIG, /etc/modelwatch/modelwatch.toml)");
  app.add_option("--db", database_file, "Database file (default: MODELWATCH_DB, the configuration, the state directory)");
  app.set_version_flag("--version", MODELWATCH_VERSION);
  try {
    app.parse(argc, argv);
    return run(config_file, database_file);
  } catch (const CLI::ParseError& error) {  // --help and --version come this way too
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& exception) {
    return report({ErrorKind::bad_input, std::string("internal error: ") + exception.what()}, 2);
  }
}
