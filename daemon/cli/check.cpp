#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <ostream>

#include "daemon/cli/check_report.h"
#include "daemon/cli/open_store.h"
#include "daemon/cli/pin_history.h"
#include "daemon/cli/table.h"
#include "estimator/json/writer.h"

namespace modelwatch::cli {
namespace {

namespace fs = std::filesystem;
constexpr std::uintmax_t kLargestFile = 64u << 20;  // bytes; an SBOM of a large system has a few megabytes

struct CheckOptions {
  std::vector<std::string> paths;
  std::string fail_on, fail_on_present, below;
};

Result<std::optional<advisories::Impact>> impact_option(const char* option, const std::string& text) {
  if (text.empty()) return std::optional<advisories::Impact>();
  const auto impact = advisories::impact_named(text);
  if (!impact)
    return fail(ErrorKind::usage, std::string(option) + " " + printable(text) + " is no impact",
                std::string(option) + " security, breaking, behaviour, resource, legal, unknown or cosmetic");
  return impact;
}

bool is_skipped_folder(const fs::path& path) {
  const std::string name = path.filename().string();
  return name == ".git" || name == "node_modules" || name == ".venv" || name == "venv" || name == "__pycache__" || name == ".tox";
}

/// Files named are read whatever their name; in a folder those that may hold pins, in the order of their paths.
Result<std::vector<std::string>> files_of(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return fail(ErrorKind::not_found, printable(path) + " is not there");
  if (!fs::is_directory(path, error)) return std::vector<std::string>{path};
  std::vector<std::string> files;
  for (auto it = fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied, error); it != fs::recursive_directory_iterator();
       it.increment(error)) {
    if (error) break;
    if (it->is_directory(error) && is_skipped_folder(it->path())) it.disable_recursion_pending();
    if (it->is_regular_file(error) && advisories::may_hold_pins(it->path().string())) files.push_back(it->path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// A folder holds many files that are not what their name says (JSON with comments); one that cannot be read is worth a
/// word where it was named, or speaks of models.
bool matters(std::string_view text) {
  return text.find("huggingface") != text.npos || text.find("bomFormat") != text.npos || text.find("spdxVersion") != text.npos;
}

Result<void> check_file(const std::string& path, bool named, PinJudge& judge, CheckReport& report) {
  std::error_code error;
  if (fs::file_size(path, error) > kLargestFile && !error) {
    report.problems.push_back({path, {}, "larger than 64 MB, not read"});
    return {};
  }
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) return fail(ErrorKind::bad_input, "cannot read " + printable(path));
  const auto pins = advisories::read_pins(path, text);
  if (!pins) {
    if (named || matters(text)) report.problems.push_back({path, {}, pins.error().message});
    return {};
  }
  for (const advisories::PinProblem& problem : pins->problems) report.problems.push_back({path, problem.at, problem.reason});
  for (const advisories::Pin& pin : pins->pins) {
    auto verdict = judge(path, pin);
    if (!verdict) return tl::unexpected(verdict.error());
    report.pins.push_back(std::move(*verdict));
  }
  return {};
}

Result<int> run_check(const Program& program, const CheckOptions& options, Console& console) {
  const auto fail_on = impact_option("--fail-on", options.fail_on), below = impact_option("--below", options.below);
  const auto fail_on_present = impact_option("--fail-on-present", options.fail_on_present);
  for (const auto* option : {&fail_on, &below, &fail_on_present})
    if (!*option) return tl::unexpected(option->error());
  const auto config = command_config();
  if (!config) return tl::unexpected(config.error());
  auto store = open_store(program, *config, storage::Access::read_only);
  if (!store) return tl::unexpected(store.error());

  CheckReport report;
  report.fail_on = *fail_on;
  report.fail_on_present = *fail_on_present;
  report.below = below->value_or(fail_on->value_or(advisories::Impact::breaking));
  PinJudge judge(*store, config->identity, report.below);
  for (const std::string& path : options.paths) {
    const auto files = files_of(path);
    if (!files) return tl::unexpected(files.error());
    for (const std::string& file : *files)
      if (auto checked = check_file(file, file == path, judge, report); !checked) return tl::unexpected(checked.error());
  }
  if (program.json)
    console.out << json::write(to_json(report), json::Style::pretty) << '\n';
  else
    print_check(report, console);
  return report.failed() ? 1 : 0;
}

}  // namespace

void add_check(CLI::App& app, Program& program) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* verb = app.add_subcommand("check", "What pins, SBOMs and source trees are worth against what changed upstream");
  verb->add_option("FILE", options->paths, "Files, or folders that are searched")->required();
  verb->add_option("--fail-on", options->fail_on, "Exit 1 where a change between pin and head has this impact or a graver one; gone and taken over always do");
  verb->add_option("--fail-on-present", options->fail_on_present, "Exit 1 where an advisory of this impact or a graver one lists the pinned revision itself");
  verb->add_option("--below", options->below, "Which newest revision to name: reached without a change of this impact or a graver one (--fail-on's, else breaking)");
  verb->callback([options, &program] {
    program.run = [options, &program](Console& console) { return run_check(program, *options, console); };
  });
}

}  // namespace modelwatch::cli
