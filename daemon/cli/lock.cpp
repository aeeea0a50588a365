// `lock` writes what a tree's models are, `pin` shows how to write it into the tree itself.
#include <CLI/CLI.hpp>
#include <fstream>
#include <iterator>
#include <memory>
#include <ostream>

#include "daemon/cli/find_pins.h"
#include "daemon/cli/lock_file.h"
#include "daemon/cli/open_store.h"
#include "daemon/cli/pin_edit.h"
#include "daemon/cli/pin_history.h"
#include "daemon/cli/table.h"
#include "estimator/json/writer.h"

namespace modelwatch::cli {
namespace {

struct LockOptions {
  std::vector<std::string> paths;
  std::string output = "modelwatch.lock";
};

struct PinOptions {
  std::vector<std::string> paths;
  std::string below = "breaking";
  bool to_head = false;
};

std::string place(const FoundPin& found) {
  return printable(found.file) + (found.pin.at.line > 0 ? ":" + std::to_string(found.pin.at.line) + ":" + std::to_string(found.pin.at.column) : "");
}

/// A moving reference is locked to what it stands for now.
Result<LockedModel> locked_model(const FoundPin& found, PinJudge& judge) {
  const auto verdict = judge(found.file, found.pin);
  if (!verdict) return tl::unexpected(verdict.error());
  const bool sound = verdict->status == PinStatus::current || verdict->status == PinStatus::behind || verdict->status == PinStatus::moving;
  if (!sound)
    return fail(ErrorKind::bad_input, place(found) + ": " + printable(found.pin.repository) + " cannot be locked: " + std::string(name(verdict->status)) +
                                          (verdict->reason.empty() ? "" : ", " + printable(verdict->reason)),
                verdict->head.empty() ? "modelwatch repo add " + found.pin.repository : "");
  LockedModel model{found.pin.hub, found.pin.repository, "", verdict->revision.empty() ? verdict->head : verdict->revision, {}};
  auto parts = judge.states(model.repository, model.revision);
  if (!parts) return tl::unexpected(parts.error());
  model.parts = std::move(*parts);
  const auto history = judge.history_of(model.repository);
  if (!history) return tl::unexpected(history.error());
  model.hub_id = (*history)->tracked.hub_id;
  return model;
}

Result<int> run_lock(const Program& program, const LockOptions& options, Console& console) {
  const auto config = command_config();
  if (!config) return tl::unexpected(config.error());
  auto store = open_store(program, *config, storage::Access::read_only);
  if (!store) return tl::unexpected(store.error());
  const auto found = find_pins(options.paths);
  if (!found) return tl::unexpected(found.error());
  PinJudge judge(*store, config->identity, advisories::Impact::breaking);
  std::vector<LockedModel> models;
  for (const FoundPin& one : found->pins) {
    if (one.pin.form == "lock") continue;
    auto model = locked_model(one, judge);
    if (!model) return tl::unexpected(model.error());
    models.push_back(std::move(*model));
  }
  const std::string text = json::write(lock_document(std::move(models)), json::Style::pretty) + "\n";
  if (program.json || options.output == "-") {
    console.out << text;
    return 0;
  }
  const std::string part = options.output + ".part";
  std::ofstream out(part, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out || std::rename(part.c_str(), options.output.c_str()) != 0)
    return fail(ErrorKind::usage, "cannot write " + printable(options.output), "--output FILE");
  console.err << printable(options.output) << ": " << found->pins.size() << " pins\n";
  return 0;
}

std::vector<std::string> lines_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  return lines;
}

Result<int> run_pin(const Program& program, const PinOptions& options, Console& console) {
  const auto below = advisories::impact_named(options.below);
  if (!below) return fail(ErrorKind::usage, "--below " + printable(options.below) + " is no impact", "--below security, breaking, behaviour, …");
  const auto config = command_config();
  if (!config) return tl::unexpected(config.error());
  auto store = open_store(program, *config, storage::Access::read_only);
  if (!store) return tl::unexpected(store.error());
  const auto found = find_pins(options.paths);
  if (!found) return tl::unexpected(found.error());
  PinJudge judge(*store, config->identity, *below);
  json::Array edits;
  std::string shown;
  for (const FoundPin& one : found->pins) {
    const auto verdict = judge(one.file, one.pin);
    if (!verdict) return tl::unexpected(verdict.error());
    const bool moving = verdict->status == PinStatus::moving;
    if (!moving && verdict->status != PinStatus::behind) continue;
    const std::string& target = moving || options.to_head ? verdict->head : verdict->newest_below;
    if (target.empty()) continue;
    const std::vector<std::string> lines = lines_of(one.file);
    const bool there = one.pin.at.line > 0 && one.pin.at.line <= lines.size();
    const auto edited = there ? with_revision(lines[one.pin.at.line - 1], one.pin, target) : std::nullopt;
    if (!edited) {
      console.err << place(one) << ": " << printable(one.pin.repository) << ": to be written by hand: " << target << '\n';
      continue;
    }
    if (one.file != shown) console.out << (program.json ? "" : "--- " + one.file + "\n+++ " + one.file + "\n");
    shown = one.file;
    const std::string& line = lines[one.pin.at.line - 1];
    if (program.json)
      edits.push_back(json::Object{{"file", one.file}, {"line", one.pin.at.line}, {"repository", one.pin.repository}, {"revision", target}, {"before", line}, {"after", *edited}});
    else
      console.out << "@@ -" << one.pin.at.line << " +" << one.pin.at.line << " @@\n-" << printable(line, 2000) << "\n+" << printable(*edited, 2000) << '\n';
  }
  if (program.json)
    console.out << json::write(json::Object{{"schema", "modelwatch/pin/1"}, {"edits", std::move(edits)}}, json::Style::pretty) << '\n';
  return 0;
}

}  // namespace

void add_lock(CLI::App& app, Program& program) {
  auto options = std::make_shared<LockOptions>();
  CLI::App* verb = app.add_subcommand("lock", "Write down which repository, commit and meaning each pinned model has now");
  verb->add_option("FILE", options->paths, "Files, or folders that are searched")->required();
  verb->add_option("-o,--output", options->output, "The lock file; - for stdout")->capture_default_str();
  verb->callback([options, &program] {
    program.run = [options, &program](Console& console) { return run_lock(program, *options, console); };
  });

  auto pin = std::make_shared<PinOptions>();
  CLI::App* shown = app.add_subcommand("pin", "Show the edits that add a revision where none is pinned, and move those that are behind");
  shown->add_option("FILE", pin->paths, "Files, or folders that are searched")->required();
  shown->add_option("--below", pin->below, "Move to the newest revision reached without a change of this impact or a graver one")->capture_default_str();
  shown->add_flag("--to-head", pin->to_head, "Move to the newest revision, whatever changed");
  shown->callback([pin, &program] {
    program.run = [pin, &program](Console& console) { return run_pin(program, *pin, console); };
  });
}

}  // namespace modelwatch::cli
