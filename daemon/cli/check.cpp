#include <CLI/CLI.hpp>
#include <fstream>
#include <iterator>
#include <memory>
#include <ostream>

#include "daemon/cli/check_report.h"
#include "daemon/cli/lock_file.h"
#include "daemon/cli/open_store.h"
#include "daemon/cli/pin_history.h"
#include "daemon/cli/table.h"
#include "estimator/json/writer.h"

namespace modelwatch::cli {
namespace {

struct CheckOptions {
  std::vector<std::string> paths;
  std::string fail_on, fail_on_present, below, format = "text", lock = "modelwatch.lock";
  bool locked = false;
};

Result<std::optional<advisories::Impact>> impact_option(const char* option, const std::string& text) {
  if (text.empty()) return std::optional<advisories::Impact>();
  const auto impact = advisories::impact_named(text);
  if (!impact)
    return fail(ErrorKind::usage, std::string(option) + " " + printable(text) + " is no impact",
                std::string(option) + " security, breaking, behaviour, resource, legal, unknown or cosmetic");
  return impact;
}

Result<std::vector<advisories::Pin>> read_lock(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return fail(ErrorKind::not_found, printable(path) + " is not there", "modelwatch lock FILE… writes it");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto pins = advisories::read_pins("modelwatch.lock", text);
  if (!pins) return fail(ErrorKind::bad_input, printable(path) + ": " + pins.error().message);
  if (!pins->problems.empty()) return fail(ErrorKind::bad_input, printable(path) + ": " + pins->problems.front().reason);
  return pins->pins;
}

/// A tree is held to its lock, and the lock to what was seen.
Result<void> hold_to_lock(const std::vector<advisories::Pin>& locked, PinJudge& judge, PinVerdict& verdict) {
  if (verdict.pin.form != "lock") {
    verdict.lock_problem = differs_from_lock(verdict.pin, locked);
    return {};
  }
  if (verdict.revision.empty()) return {};
  const auto seen = judge.states(verdict.pin.repository, verdict.revision);
  if (!seen) return tl::unexpected(seen.error());
  verdict.lock_problem = differs_from_states(verdict.pin, *seen);
  return {};
}

Result<CheckReport> report_on(const CheckOptions& options, PinJudge& judge, CheckReport report) {
  auto found = find_pins(options.paths);
  if (!found) return tl::unexpected(found.error());
  report.problems = std::move(found->problems);
  std::vector<advisories::Pin> locked;
  if (options.locked) {
    auto lock = read_lock(options.lock);
    if (!lock) return tl::unexpected(lock.error());
    locked = std::move(*lock);
    for (const advisories::Pin& pin : locked) found->pins.push_back({options.lock, pin});
  }
  for (const FoundPin& one : found->pins) {
    auto verdict = judge(one.file, one.pin);
    if (!verdict) return tl::unexpected(verdict.error());
    if (options.locked)
      if (auto held = hold_to_lock(locked, judge, *verdict); !held) return tl::unexpected(held.error());
    report.pins.push_back(std::move(*verdict));
  }
  return report;
}

void print(const CheckReport& report, const std::string& format, Console& console) {
  if (format == "text") return print_check(report, console);
  if (format == "github") {
    console.out << github_annotations(report);
    return;
  }
  console.out << json::write(format == "sarif" ? to_sarif(report) : to_json(report), json::Style::pretty) << '\n';
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

  CheckReport asked;
  asked.fail_on = *fail_on;
  asked.fail_on_present = *fail_on_present;
  asked.below = below->value_or(fail_on->value_or(advisories::Impact::breaking));
  PinJudge judge(*store, config->identity, asked.below);
  const auto report = report_on(options, judge, std::move(asked));
  if (!report) return tl::unexpected(report.error());
  print(*report, program.json ? "json" : options.format, console);
  return report->failed() ? 1 : 0;
}

}  // namespace

void add_check(CLI::App& app, Program& program) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* verb = app.add_subcommand("check", "What pins, SBOMs and source trees are worth against what changed upstream");
  verb->add_option("FILE", options->paths, "Files, or folders that are searched")->required();
  verb->add_option("--fail-on", options->fail_on, "Exit 1 where a change between pin and head has this impact or a graver one; gone and taken over always do");
  verb->add_option("--fail-on-present", options->fail_on_present, "Exit 1 where an advisory of this impact or a graver one lists the pinned revision itself");
  verb->add_option("--below", options->below, "Which newest revision to name: reached without a change of this impact or a graver one (--fail-on's, else breaking)");
  verb->add_option("--format", options->format, "text, json, sarif, or github (annotations)")->capture_default_str()->check(CLI::IsMember({"text", "json", "sarif", "github"}));
  verb->add_flag("--locked", options->locked, "Exit 1 where a pin is not the revision of the lock file, or the lock is not what was seen");
  verb->add_option("--lock", options->lock, "The lock file")->capture_default_str();
  verb->callback([options, &program] {
    program.run = [options, &program](Console& console) { return run_check(program, *options, console); };
  });
}

}  // namespace modelwatch::cli
