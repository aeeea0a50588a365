#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "advisories/diff/diff.h"
#include "daemon/cli/command.h"
#include "daemon/cli/diff_text.h"
#include "daemon/cli/snapshot.h"
#include "estimator/json/writer.h"

namespace modelwatch::cli {
namespace {

struct DiffOptions {
  std::string before, after;
  bool exit_code = false;
};

Result<int> run_diff(const Program& program, const DiffOptions& options, Console& console) {
  const auto before = open_snapshot(program, options.before);
  if (!before) return tl::unexpected(before.error());
  const auto after = open_snapshot(program, options.after);
  if (!after) return tl::unexpected(after.error());
  const advisories::Diff diff = advisories::diff(*before, *after);
  if (program.json) console.out << json::write(advisories::to_json(diff), json::Style::pretty) << '\n';
  else print_diff(diff, console);
  const bool found = diff.impact > advisories::Impact::cosmetic;
  return options.exit_code && found ? 1 : 0;
}

}  // namespace

void add_diff(CLI::App& app, Program& program) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App* verb = app.add_subcommand("diff", "What changed between two snapshots, by meaning");
  verb->add_option("BEFORE", options->before, "Folder of the earlier revision, or org/name@revision")->required();
  verb->add_option("AFTER", options->after, "Folder of the later revision, or org/name@revision")->required();
  verb->add_flag("--exit-code", options->exit_code, "Exit 1 where something above cosmetic changed");
  verb->callback([options, &program] {
    program.run = [options, &program](Console& console) { return run_diff(program, *options, console); };
  });
}

}  // namespace modelwatch::cli
