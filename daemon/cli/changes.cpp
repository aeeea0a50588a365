#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <ostream>

#include "daemon/cli/command.h"
#include "daemon/cli/open_store.h"
#include "daemon/cli/revision_text.h"
#include "daemon/cli/table.h"
#include "estimator/json/writer.h"
#include "storage/row_json.h"

namespace modelwatch::cli {
namespace {

constexpr int kPage = 500;

struct ChangesOptions {
  std::string name, since, part, impact;
  int limit = 0;
};

Result<storage::ChangeFilter> filter_of(const ChangesOptions& options, storage::Store& store) {
  storage::ChangeFilter filter;
  if (!options.name.empty()) {
    const auto tracked = store.find(options.name);
    if (!tracked) return tl::unexpected(tracked.error());
    filter.repository = options.name;
  }
  if (!options.part.empty()) {
    filter.part = advisories::part_named(options.part);
    if (!filter.part) {
      return fail(ErrorKind::usage, "--part " + printable(options.part) + " is no part", "--part config, tokenizer, chat_template, weights, …");
    }
  }
  if (!options.impact.empty()) {
    filter.at_least = advisories::impact_named(options.impact);
    if (!filter.at_least) {
      return fail(ErrorKind::usage, "--impact " + printable(options.impact) + " is no impact",
                  "--impact security, breaking, behaviour, resource, legal, unknown or cosmetic");
    }
  }
  if (!options.since.empty()) {
    const auto cursor = store.cursor(options.since);
    if (!cursor) return tl::unexpected(cursor.error());
    filter.after = *cursor;
  }
  return filter;
}

Result<int> run_changes(const Program& program, const ChangesOptions& options, Console& console) {
  auto store = open_store(program, storage::Access::read_only);
  if (!store) return tl::unexpected(store.error());
  auto filter = filter_of(options, *store);
  if (!filter) return tl::unexpected(filter.error());
  int left = options.limit > 0 ? options.limit : std::numeric_limits<int>::max();
  while (left > 0) {
    const int asked = std::min(kPage, left);
    const auto page = store->changes(*filter, asked);
    if (!page) return tl::unexpected(page.error());
    for (const storage::ChangeRow& change : *page) {
      if (program.json) {
        json::Object line = {{"schema", "modelwatch/change/1"}};
        for (auto& [key, value] : to_json(change)) line.append(key, std::move(value));
        console.out << json::write(line) << '\n';
      } else {
        print_change(change, console);
      }
      filter->after = change.sequence;
    }
    if (page->size() < static_cast<std::size_t>(asked)) break;
    left -= asked;
  }
  return 0;
}

}  // namespace

void add_changes(CLI::App& app, Program& program) {
  auto options = std::make_shared<ChangesOptions>();
  CLI::App* verb = app.add_subcommand("changes", "The stream of all tracked changes, in the order they were observed");
  verb->add_option("NAME", options->name, "org/name: only this repository");
  verb->add_option("--since", options->since, "Only what was observed after a cursor, a date or an advisory");
  verb->add_option("--part", options->part, "Only this part: config, tokenizer, weights, …");
  verb->add_option("--impact", options->impact, "Only this impact and graver ones");
  verb->add_option("--limit", options->limit, "At most so many; 0 = all")->capture_default_str()->check(CLI::NonNegativeNumber);
  verb->callback([options, &program] {
    program.run = [options, &program](Console& console) { return run_changes(program, *options, console); };
  });
}

}  // namespace modelwatch::cli
