#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "advisories/diff/lint.h"
#include "daemon/cli/command.h"
#include "daemon/cli/diff_text.h"
#include "daemon/cli/snapshot.h"
#include "estimator/json/writer.h"

namespace modelwatch::cli {
namespace {

struct LintOptions {
  std::string source;
  bool exit_code = false;
};

Result<int> run_lint(const Program& program, const LintOptions& options, Console& console) {
  const auto snapshot = open_snapshot(program, options.source);
  if (!snapshot) return tl::unexpected(snapshot.error());
  const std::vector<advisories::Finding> faults = advisories::lint(*snapshot);
  if (program.json) console.out << json::write(advisories::lint_json(faults), json::Style::pretty) << '\n';
  else print_faults(faults, console);
  return options.exit_code && !faults.empty() && faults.front().impact > advisories::Impact::cosmetic ? 1 : 0;
}

}  // namespace

void add_lint(CLI::App& app, Program& program) {
  auto options = std::make_shared<LintOptions>();
  CLI::App* verb = app.add_subcommand("lint", "What contradicts itself inside one revision");
  verb->add_option("SOURCE", options->source, "Folder of the revision, or org/name@revision")->required();
  verb->add_flag("--exit-code", options->exit_code, "Exit 1 where a fault above cosmetic was found");
  verb->callback([options, &program] {
    program.run = [options, &program](Console& console) { return run_lint(program, *options, console); };
  });
}

}  // namespace modelwatch::cli
