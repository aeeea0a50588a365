#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <memory>
#include <ostream>

#include "advisories/osv/details.h"
#include "daemon/cli/command.h"
#include "daemon/cli/open_store.h"
#include "daemon/cli/table.h"
#include "estimator/json/reader.h"
#include "estimator/json/writer.h"
#include "storage/store.h"

namespace modelwatch::cli {
namespace {

using advisories::Advisory;

constexpr int kPage = 200;

struct AdvisoryOptions {
  std::string repository, id, part, impact;
  int limit = 50;
};

struct Read {
  json::Value document;
  Advisory advisory;
};

Result<Read> read(const storage::DocumentRow& row) {
  auto document = json::read(row.document);
  if (!document) return fail(ErrorKind::database, row.id + ": " + document.error().to_string(), "modelwatch db check");
  auto advisory = advisories::from_osv(document->value);
  if (!advisory) return fail(ErrorKind::database, advisory.error().message, "modelwatch db check");
  return Read{std::move(document->value), std::move(*advisory)};
}

bool is_open(const Advisory& advisory) { return advisory.closings.empty() && !advisory.withdrawn; }

std::string state_of(const Advisory& advisory) {
  if (advisory.withdrawn) return "withdrawn";
  return advisory.closings.empty() ? "open" : advisory.closings.back().by;
}

Result<int> list(const Program& program, const AdvisoryOptions& options, Console& console) {
  const auto part = advisories::part_named(options.part);
  if (!part && !options.part.empty()) return fail(ErrorKind::usage, "--part " + printable(options.part) + " is no part", "--part config, tokenizer, weights, …");
  const auto least = advisories::impact_named(options.impact);
  if (!least && !options.impact.empty())
    return fail(ErrorKind::usage, "--impact " + printable(options.impact) + " is no impact",
                "--impact security, breaking, behaviour, resource, legal, unknown or cosmetic");
  auto store = open_store(program, storage::Access::read_only);
  if (!store) return tl::unexpected(store.error());
  if (!options.repository.empty())
    if (const auto known = store->find(options.repository); !known) return tl::unexpected(known.error());

  Table table({"MODIFIED", "ID", "REPOSITORY", "PART", "IMPACT", "STATE", "REVISION"});
  storage::Store::After after;
  int left = options.limit > 0 ? options.limit : std::numeric_limits<int>::max();
  do {
    const auto page = store->documents(options.repository, after, kPage);
    if (!page) return tl::unexpected(page.error());
    for (const storage::DocumentRow& row : page->rows) {
      const auto one = read(row);
      if (!one) return tl::unexpected(one.error());
      const Advisory& a = one->advisory;
      if (left == 0 || (part && a.part != *part) || (least && a.impact < *least)) continue;
      --left;
      if (program.json)
        console.out << json::write(one->document) << '\n';
      else
        table.add({advisories::rfc3339(a.modified), a.id, printable(a.repository.name), std::string(advisories::name(a.part)),
                   std::string(advisories::name(a.impact)), state_of(a), a.introduced.substr(0, 10)});
    }
    after = page->next;
  } while (after && left > 0);
  if (!program.json && !table.empty()) table.print(console.out, console.color);
  return 0;
}

/// A document's details are written for browsers; here they come after what a person looks for first.
void print(const Advisory& a, Console& console) {
  std::ostream& out = console.out;
  out << a.id << "  " << printable(summary_of(a), 200) << "\n\n"
      << "published    " << advisories::rfc3339(a.published) << "\n"
      << "modified     " << advisories::rfc3339(a.modified) << "\n"
      << "repository   " << printable(a.repository.url()) << "\n";
  for (const std::string& later : a.further_names) out << "also as      " << printable(later) << "\n";
  out << "introduced   " << a.introduced << "\n";
  for (const advisories::Closing& closing : a.closings)
    out << "ended        " << closing.sha << " (" << closing.by << (closing.closing_advisory.empty() ? "" : ", ") << closing.closing_advisory << ")\n";
  out << "revisions    " << a.versions.size() << (is_open(a) ? ", and those that keep it" : "") << "\n";
  if (!a.reverts.empty()) out << "reverts      " << a.reverts << "\n";
  if (!a.equals_revision.empty()) out << "equals       " << a.equals_revision << "\n";
  for (const std::string& related : a.related) out << "related      " << related << "\n";
  out << '\n';
  for (const advisories::Finding& finding : a.findings) {
    out << colored(finding.impact, console.color) << "  " << finding.rule;
    if (!finding.path.empty()) out << "  " << printable(finding.path + finding.pointer.value_or(""));
    out << "\n    " << printable(finding.meaning, 400) << "\n";
  }
}

Result<int> show(const Program& program, const AdvisoryOptions& options, Console& console) {
  auto store = open_store(program, storage::Access::read_only);
  if (!store) return tl::unexpected(store.error());
  const auto row = store->advisory(options.id);
  if (!row) return tl::unexpected(row.error());
  const auto one = read(*row);
  if (!one) return tl::unexpected(one.error());
  if (program.json)
    console.out << json::write(one->document, json::Style::pretty) << '\n';
  else
    print(one->advisory, console);
  return 0;
}

}  // namespace

void add_advisory(CLI::App& app, Program& program) {
  auto options = std::make_shared<AdvisoryOptions>();
  CLI::App* noun = app.add_subcommand("advisory", "The OSV advisories");
  noun->require_subcommand(1);
  CLI::App* listed = noun->add_subcommand("list", "Newest change first; with --json one OSV document a line");
  listed->add_option("NAME", options->repository, "org/name: only this repository");
  listed->add_option("--part", options->part, "Only this part");
  listed->add_option("--impact", options->impact, "Only this impact and graver ones");
  listed->add_option("--limit", options->limit, "At most so many; 0 = all")->capture_default_str()->check(CLI::NonNegativeNumber);
  listed->callback([options, &program] {
    program.run = [options, &program](Console& console) { return list(program, *options, console); };
  });
  CLI::App* shown = noun->add_subcommand("show", "One advisory; with --json the OSV document as it is served");
  shown->add_option("ID", options->id, "x_MODELWATCH-2026-…")->required();
  shown->callback([options, &program] {
    program.run = [options, &program](Console& console) { return show(program, *options, console); };
  });
}

}  // namespace modelwatch::cli
