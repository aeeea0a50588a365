#pragma once
#include <functional>
#include <iosfwd>
#include <string>

#include "estimator/error.h"

namespace CLI {
class App;
}

namespace modelwatch::cli {

/// Where a command speaks: data to `out`, everything else to `err`.
struct Console {
  std::ostream& out;
  std::ostream& err;
  bool color = false;     ///< `out` is a terminal and NO_COLOR is unset
  bool progress = false;  ///< `err` is a terminal
};

/// Options of the whole program, and the command that was chosen.
struct Program {
  std::string db;     ///< --db or MODELWATCH_DB; empty = found as docs/cli.md says
  bool json = false;  ///< --json, accepted after any verb
  /// Set by the chosen verb; returns the exit code (0 done, 1 findings), or the error that main prints and maps.
  std::function<Result<int>(Console&)> run;
};

/// One per noun: adds its verbs to the program. A verb's callback sets `program.run`.
void add_plan(CLI::App& app, Program& program);
void add_diff(CLI::App& app, Program& program);
void add_lint(CLI::App& app, Program& program);
void add_repo(CLI::App& app, Program& program);
void add_revisions(CLI::App& app, Program& program);
void add_changes(CLI::App& app, Program& program);
void add_advisory(CLI::App& app, Program& program);
void add_feed(CLI::App& app, Program& program);
void add_check(CLI::App& app, Program& program);
void add_lock(CLI::App& app, Program& program);  ///< lock and pin
void add_serve(CLI::App& app, Program& program);
void add_db(CLI::App& app, Program& program);

/// 2 usage or bad input, 3 not found, 4 upstream, 5 database, 130 interrupted.
int exit_code(ErrorKind kind);

}  // namespace modelwatch::cli
