#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "daemon/cli/command.h"
#include "daemon/cli/open_store.h"
#include "daemon/cli/repo_check.h"
#include "daemon/cli/table.h"
#include "estimator/json/writer.h"
#include "storage/row_json.h"

namespace modelwatch::cli {
namespace {

using storage::Access;
using storage::Tracked;

struct RepoOptions {
  std::vector<std::string> names;
  std::string ref = "main";
  std::string history = "20";
  bool purge = false;
  bool full = false;
};

storage::Time present() { return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()); }

void print_document(const std::vector<Tracked>& rows, Console& console) {
  console.out << json::write(storage::repositories_document(rows), json::Style::pretty) << '\n';
}

Result<int> add(const Program& program, const RepoOptions& options, Console& console) {
  const auto history = parse_history(options.history);
  if (!history) return tl::unexpected(history.error());
  for (const std::string& name : options.names) {
    if (!is_repository_name(name)) {
      return fail(ErrorKind::usage, printable(name) + " is no repository name", "modelwatch repo add org/name");
    }
  }
  auto store = open_store(program, Access::read_write);
  if (!store) return tl::unexpected(store.error());
  std::vector<Tracked> added;
  for (const std::string& name : options.names) {
    auto tracked = store->track(name, options.ref, *history, present());
    if (!tracked) return tl::unexpected(tracked.error());
    added.push_back(std::move(*tracked));
  }
  if (program.json) {
    print_document(added, console);
    return 0;
  }
  for (const Tracked& row : added) {
    console.out << row.name << " is tracked (ref " << row.ref << ", history " << to_string(row.history) << ")\n";
  }
  console.err << "modelwatchd reads it within a minute; `modelwatch repo check` reads it now\n";
  return 0;
}

std::string ago(const std::optional<storage::Time>& time) {
  if (!time) return "never";
  const auto seconds = (present() - *time).count();
  if (seconds < 120) return std::to_string(std::max<std::int64_t>(seconds, 0)) + " s ago";
  if (seconds < 7200) return std::to_string(seconds / 60) + " min ago";
  if (seconds < 48 * 3600) return std::to_string(seconds / 3600) + " h ago";
  return std::to_string(seconds / 86400) + " days ago";
}

std::string state_of(const Tracked& row) {
  if (row.access == "taken-over") return "name taken over";
  if (!row.polled) return "not polled";
  if (!row.last_error.empty()) return printable(row.last_error, 60);
  if (row.misses > 0) return "not found, " + std::to_string(row.misses) + " times";
  return row.access;
}

Result<int> list(const Program& program, Console& console) {
  auto store = open_store(program, Access::read_only);
  if (!store) return tl::unexpected(store.error());
  auto rows = store->tracked();
  if (!rows) return tl::unexpected(rows.error());
  if (program.json) {
    print_document(*rows, console);
    return 0;
  }
  Table table({"repository", "ref", "head", "checked", "changed", "state"});
  for (const Tracked& row : *rows) {
    table.add({row.name, row.ref, row.head.empty() ? "-" : row.head.substr(0, 12), ago(row.last_check), ago(row.last_change), state_of(row)});
  }
  if (table.empty()) console.err << "nothing is tracked\ntry: modelwatch repo add org/name\n";
  else table.print(console.out, console.color);
  return 0;
}

Result<int> remove(const Program& program, const RepoOptions& options, Console& console) {
  auto store = open_store(program, Access::read_write);
  if (!store) return tl::unexpected(store.error());
  for (const std::string& name : options.names) {
    const auto removed = store->untrack(name, options.purge);
    if (!removed) return tl::unexpected(removed.error());
    console.err << name << (options.purge ? " and its history are deleted\n" : " is no longer polled; its history stays\n");
  }
  if (program.json) print_document(store->tracked().value_or(std::vector<Tracked>{}), console);
  return 0;
}

using Action = Result<int> (*)(const Program&, const RepoOptions&, Console&);

void set_action(CLI::App* verb, Program& program, const std::shared_ptr<RepoOptions>& options, Action action) {
  verb->callback([options, &program, action] {
    program.run = [options, &program, action](Console& console) { return action(program, *options, console); };
  });
}

}  // namespace

void add_repo(CLI::App& app, Program& program) {
  auto options = std::make_shared<RepoOptions>();
  CLI::App* noun = app.add_subcommand("repo", "Tracked repositories");
  noun->require_subcommand(1);

  CLI::App* verb = noun->add_subcommand("add", "Track repositories, or change how");
  verb->add_option("NAME", options->names, "org/name")->required();
  verb->add_option("--ref", options->ref, "Branch or tag to follow")->capture_default_str();
  verb->add_option("--history", options->history, "Older revisions read at first sight: full, none or a number")->capture_default_str();
  set_action(verb, program, options, add);

  verb = noun->add_subcommand("list", "What is tracked, and how it stands");
  set_action(verb, program, options, [](const Program& p, const RepoOptions&, Console& c) { return list(p, c); });

  verb = noun->add_subcommand("remove", "Stop polling; the history stays");
  verb->add_option("NAME", options->names, "org/name")->required();
  verb->add_flag("--purge", options->purge, "Delete the history too");
  set_action(verb, program, options, remove);

  verb = noun->add_subcommand("check", "Poll now, in the foreground, and show what is found");
  verb->add_option("NAME", options->names, "org/name (default: all that is tracked)");
  verb->add_flag("--full", options->full, "Also read what a poll cannot see: gating, tags, the licence the Hub shows");
  set_action(verb, program, options,
             [](const Program& p, const RepoOptions& o, Console& c) { return check_repositories(p, o.names, o.full, c); });
}

}  // namespace modelwatch::cli
