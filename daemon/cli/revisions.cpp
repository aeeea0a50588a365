#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "daemon/cli/command.h"
#include "daemon/cli/open_store.h"
#include "daemon/cli/revision_text.h"
#include "daemon/cli/since.h"
#include "daemon/cli/table.h"
#include "estimator/json/writer.h"
#include "storage/row_json.h"

namespace modelwatch::cli {
namespace {

using storage::RevisionRow;
using storage::Store;
using storage::Tracked;

constexpr int kPage = 500;

struct RevisionsOptions {
  std::string name;
  std::string ref = "main";
  int limit = 50;
  std::string since, before;
  std::string revision;  ///< of `show`: org/name@rev
};

struct Listed {
  std::vector<RevisionRow> rows;  ///< newest first
  bool more = false;
};

/// Pages through the store until the limit, or the first revision that `since` leaves out.
Result<Listed> list(Store& store, const RevisionsOptions& options, const Since& since) {
  Listed listed;
  std::string before = options.before;
  while (true) {
    auto page = store.revisions(options.name, options.ref, kPage, before);
    if (!page) return tl::unexpected(page.error());
    for (RevisionRow& row : *page) {
      if (!since.includes(row)) return listed;
      if (options.limit > 0 && listed.rows.size() == static_cast<std::size_t>(options.limit)) {
        listed.more = true;
        return listed;
      }
      listed.rows.push_back(std::move(row));
    }
    if (page->size() < static_cast<std::size_t>(kPage)) return listed;
    before = listed.rows.back().sha;
  }
}

/// The name may have another holder than the one a reader remembers.
void note_takeover(const Tracked& tracked, Console& console) {
  const json::Value* former = tracked.facts.find("took_over");
  if (!former) return;
  const json::Value* hub_id = former->find("hub_id");
  console.err << "note: " << tracked.name << " now belongs to another repository (" << tracked.hub_id << "); before it was "
              << (hub_id && hub_id->string() ? *hub_id->string() : "another one") << "\n";
}

Result<int> show_list(const Program& program, const RevisionsOptions& options, Console& console) {
  auto store = open_store(program, storage::Access::read_only);
  if (!store) return tl::unexpected(store.error());
  const auto tracked = store->find(options.name, options.ref);
  if (!tracked) return tl::unexpected(tracked.error());
  const auto since = Since::parse(options.since, *store);
  if (!since) return tl::unexpected(since.error());
  const auto listed = list(*store, options, *since);
  if (!listed) return tl::unexpected(listed.error());
  note_takeover(*tracked, console);
  if (program.json) {
    console.out << json::write(storage::revisions_document(*tracked, listed->rows, listed->more), json::Style::pretty) << '\n';
    return 0;
  }
  print_revisions(listed->rows, console);
  if (listed->more) {
    console.err << "older ones: modelwatch revisions " << options.name << " --before " << listed->rows.back().sha << '\n';
  }
  return 0;
}

Result<int> show_one(const Program& program, const RevisionsOptions& options, Console& console) {
  const std::size_t at = options.revision.find('@');
  if (at == std::string::npos || at == 0 || at + 1 == options.revision.size()) {
    return fail(ErrorKind::usage, printable(options.revision) + " names no revision", "modelwatch revisions show org/name@sha");
  }
  auto store = open_store(program, storage::Access::read_only);
  if (!store) return tl::unexpected(store.error());
  const auto detail = store->revision(options.revision.substr(0, at), options.revision.substr(at + 1));
  if (!detail) return tl::unexpected(detail.error());
  if (program.json) {
    console.out << json::write(storage::revision_document(*detail), json::Style::pretty) << '\n';
  } else {
    print_revision(*detail, console);
  }
  return 0;
}

}  // namespace

void add_revisions(CLI::App& app, Program& program) {
  auto options = std::make_shared<RevisionsOptions>();
  CLI::App* noun = app.add_subcommand("revisions", "The revision history of a repository");
  noun->add_option("NAME", options->name, "org/name");
  noun->add_option("--ref", options->ref, "Branch or tag")->capture_default_str();
  noun->add_option("--limit", options->limit, "How many, newest first; 0 = all")->capture_default_str()->check(CLI::NonNegativeNumber);
  noun->add_option("--since", options->since, "Only those seen after a date, a revision or an advisory");
  noun->add_option("--before", options->before, "Only those older than this sha: the cursor of the page before");

  CLI::App* show = noun->add_subcommand("show", "One revision whole: files, parts, changes, plan, advisories");
  show->add_option("REVISION", options->revision, "org/name@sha, a unique prefix of one, or a ref")->required();
  show->callback([options, &program] {
    program.run = [options, &program](Console& console) { return show_one(program, *options, console); };
  });
  noun->callback([noun, options, &program] {
    if (!noun->get_subcommands().empty()) return;
    if (options->name.empty()) throw CLI::RequiredError("NAME");
    program.run = [options, &program](Console& console) { return show_list(program, *options, console); };
  });
}

}  // namespace modelwatch::cli
