#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>

#include "daemon/cli/command.h"

namespace {

using namespace modelwatch;

int report(const Error& error) {
  std::cerr << "modelwatch: " << error.message << '\n';
  if (!error.hint.empty()) std::cerr << "try: " << error.hint << '\n';
  return cli::exit_code(error.kind);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Tracks model repositories: what changed upstream, by meaning, as OSV advisories.", "modelwatch"};
  cli::Program program;
  app.add_option("--db", program.db, "Database file")->envname("MODELWATCH_DB");
  app.add_flag("--json", program.json, "Print one JSON document instead of text");
  app.set_version_flag("--version", MODELWATCH_VERSION);
  app.require_subcommand(1);
  app.fallthrough();
  // cli-verbs-begin
  cli::add_diff(app, program);
  cli::add_lint(app, program);
  cli::add_plan(app, program);
  cli::add_repo(app, program);
  cli::add_revisions(app, program);
  cli::add_changes(app, program);
  cli::add_advisory(app, program);
  cli::add_feed(app, program);
  cli::add_check(app, program);
  cli::add_lock(app, program);
  cli::add_db(app, program);
  cli::add_serve(app, program);
  // cli-verbs-end
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {  // --help, --version
    return app.exit(done);
  } catch (const CLI::ParseError& error) {
    return report({ErrorKind::usage, error.what(), "modelwatch --help"});
  }
  cli::Console console{std::cout, std::cerr, isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR"), isatty(STDERR_FILENO) != 0};
  const Result<int> result = program.run(console);
  return result ? *result : report(result.error());
}
