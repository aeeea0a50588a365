#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "advisories/feed/tree.h"
#include "advisories/feed/verify.h"
#include "daemon/cli/command.h"
#include "daemon/cli/open_store.h"
#include "daemon/cli/table.h"
#include "estimator/json/writer.h"
#include "storage/store.h"

namespace modelwatch::cli {
namespace {

struct FeedOptions {
  std::string folder;
};

advisories::FeedRecords records_of(storage::Store& store) {
  return [&store](const auto& wanted, const auto& visit) {
    return store.each_document(wanted, [&](const storage::DocumentRow& row) {
      visit(advisories::FeedEntry{row.id, row.modified}, row.document);
    });
  };
}

Result<int> run_export(const Program& program, const FeedOptions& options, Console& console) {
  auto store = open_store(program, storage::Access::read_only);
  if (!store) return tl::unexpected(store.error());
  const auto report = advisories::write_feed_tree(options.folder, records_of(*store));
  if (!report) return tl::unexpected(report.error());
  if (program.json)
    console.out << json::write(json::Object{{"schema", "modelwatch/feed-export/1"},
                                            {"folder", options.folder},
                                            {"records", report->records},
                                            {"written", report->written},
                                            {"removed", report->removed},
                                            {"unchanged", report->unchanged}},
                               json::Style::pretty)
                << '\n';
  else
    console.out << printable(options.folder) << ": " << report->records << " records, " << report->written << " written"
                << (report->removed > 0 ? ", " + std::to_string(report->removed) + " removed" : "") << '\n';
  return 0;
}

Result<int> run_verify(const Program& program, const FeedOptions& options, Console& console) {
  const auto config = command_config();
  if (!config) return tl::unexpected(config.error());
  const auto verdict = advisories::verify_feed_tree(options.folder, config->feed.id_prefix);
  if (!verdict) return tl::unexpected(verdict.error());
  if (program.json) {
    console.out << json::write(json::Object{{"schema", "modelwatch/feed-verify/1"},
                                            {"folder", options.folder},
                                            {"records", verdict->records},
                                            {"broken", verdict->broken},
                                            {"problems", json::Array(verdict->problems.begin(), verdict->problems.end())}},
                               json::Style::pretty)
                << '\n';
  } else {
    for (const std::string& problem : verdict->problems) console.out << printable(problem, 300) << '\n';
    if (verdict->broken > verdict->problems.size()) console.out << "and " << verdict->broken - verdict->problems.size() << " more\n";
    console.err << printable(options.folder) << ": " << verdict->records << " records, " << verdict->broken << " problems\n";
  }
  return verdict->broken > 0 ? 1 : 0;
}

}  // namespace

void add_feed(CLI::App& app, Program& program) {
  auto options = std::make_shared<FeedOptions>();
  CLI::App* noun = app.add_subcommand("feed", "The advisory feed as files, in the bucket layout of osv.dev");
  noun->require_subcommand(1);
  CLI::App* exported = noun->add_subcommand("export", "Bring a folder up to date: records, archives and lists; only what changed is written");
  exported->add_option("DIR", options->folder, "The folder, created where it is not there")->required();
  exported->callback([options, &program] {
    program.run = [options, &program](Console& console) { return run_export(program, *options, console); };
  });
  CLI::App* verified = noun->add_subcommand("verify", "Re-check such a folder: records, lists and archives against each other; exit 1 where something is wrong");
  verified->add_option("DIR", options->folder, "The folder")->required();
  verified->callback([options, &program] {
    program.run = [options, &program](Console& console) { return run_verify(program, *options, console); };
  });
}

}  // namespace modelwatch::cli
