#include "daemon/cli/repo_check.h"

#include <unistd.h>

#include <chrono>
#include <ostream>

#include "daemon/cli/interrupt.h"
#include "daemon/cli/open_store.h"
#include "daemon/cli/revision_text.h"
#include "daemon/cli/table.h"
#include "daemon/hub/transport.h"
#include "daemon/watch/check_repo.h"
#include "estimator/json/writer.h"
#include "storage/row_json.h"

namespace modelwatch::cli {
namespace {

using storage::Tracked;
using watch::CheckReport;
using Outcome = CheckReport::Outcome;

/// What a check says while it goes on.
class Voice {
 public:
  Voice(const Program& program, Console& console) : json_(program.json), console_(console) {}

  void step(const std::string& repository, const std::string& what, int done, int total) {
    if (!console_.progress) return;
    if (what == "revision") {
      revision_ = done + 1;
      revisions_ = total;
    }
    console_.err << "\r\x1b[K" << repository << ": revision " << revision_ << " of " << revisions_;
    if (what == "files") console_.err << ", file " << done << " of " << total;
    console_.err << std::flush;
  }

  void change(const storage::ChangeRow& change) {
    clear();
    if (json_) {
      json::Object line = {{"schema", "modelwatch/change/1"}};
      for (auto& [key, value] : to_json(change)) line.append(key, value);
      console_.out << json::write(line) << std::endl;
      return;
    }
    print_change(change, console_);
    console_.out << std::flush;
  }

  void end(const Tracked& asked, const CheckReport& report) {
    clear();
    const std::string& repository = report.tracked.name.empty() ? asked.name : report.tracked.name;
    if (json_) {
      json::Array opened(report.advisories.begin(), report.advisories.end());
      json::Object line = {{"schema", "modelwatch/check-report/1"},
                           {"repository", repository},
                           {"ref", asked.ref},
                           {"outcome", name(report.outcome)},
                           {"revisions", report.revisions},
                           {"advisories", std::move(opened)},
                           {"message", report.message.empty() ? json::Value() : json::Value(report.message)},
                           {"retry_at", report.retry_at ? json::Value(storage::to_text(*report.retry_at)) : json::Value()}};
      console_.out << json::write(line) << std::endl;
      return;
    }
    console_.err << repository << ": " << name(report.outcome);
    if (report.revisions > 0) console_.err << ", " << report.revisions << (report.revisions == 1 ? " revision" : " revisions");
    if (!report.message.empty()) console_.err << ": " << printable(report.message, 300);
    if (report.retry_at) console_.err << "; again at " << storage::to_text(*report.retry_at);
    console_.err << std::endl;
  }

 private:
  void clear() {
    if (console_.progress) console_.err << "\r\x1b[K" << std::flush;
  }

  bool json_;
  Console& console_;
  int revision_ = 0, revisions_ = 0;
};

/// None where it went well.
std::optional<Error> failure(const Tracked& tracked, const CheckReport& report) {
  const std::string message = tracked.name + ": " + report.message;
  switch (report.outcome) {
    case Outcome::unchanged:
    case Outcome::updated:
    case Outcome::baseline: return {};
    case Outcome::missing:
    case Outcome::gone: return Error{ErrorKind::not_found, message, "modelwatch repo remove " + tracked.name + ", or HF_TOKEN of an account that may read it"};
    case Outcome::gated: return Error{ErrorKind::upstream, message, "HF_TOKEN of an account with access"};
    case Outcome::disabled: return Error{ErrorKind::upstream, message};
    case Outcome::rate_limited: return Error{ErrorKind::upstream, message, "the same command later: it goes on where it stopped"};
    case Outcome::busy: return Error{ErrorKind::database, message, "again in a minute"};
    case Outcome::interrupted: return Error{ErrorKind::interrupted, message, "the same command: it goes on where it stopped"};
    case Outcome::failed: return Error{report.kind, message, report.kind == ErrorKind::database ? "modelwatch db check" : ""};
  }
  return {};
}

Result<std::vector<Tracked>> wanted(storage::Store& store, const std::vector<std::string>& names) {
  auto all = store.tracked();
  if (!all) return all;
  if (names.empty()) {
    std::erase_if(*all, [](const Tracked& row) { return !row.polled; });
    if (all->empty()) return fail(ErrorKind::not_found, "nothing is tracked", "modelwatch repo add org/name");
    return all;
  }
  std::vector<Tracked> rows;
  for (const std::string& name : names) {
    const std::size_t before = rows.size();
    for (const Tracked& row : *all)
      if (row.name == name && row.access != "taken-over") rows.push_back(row);
    if (rows.size() > before) continue;
    auto former = store.find(name);  // by a former name
    if (!former) return fail(ErrorKind::not_found, printable(name) + " is not tracked", "modelwatch repo add " + printable(name));
    rows.push_back(std::move(*former));
  }
  return rows;
}

}  // namespace

Result<int> check_repositories(const Program& program, const std::vector<std::string>& names, bool full, Console& console) {
  const auto config = command_config();
  if (!config) return tl::unexpected(config.error());
  auto store = open_store(program, *config, storage::Access::read_write);
  if (!store) return tl::unexpected(store.error());
  const auto rows = wanted(*store, names);
  if (!rows) return tl::unexpected(rows.error());

  const hub::ClientOptions client = client_options(*config);
  hub::Client hub(client, hub::curl_transport(client.connect_timeout, client.idle_timeout));
  watch::CheckOptions options = check_options(*config);
  options.full_read = full;
  options.holder = "modelwatch-" + std::to_string(getpid());
  const Interrupt interrupt;
  Voice voice(program, console);
  std::optional<Error> first;
  for (const Tracked& row : *rows) {
    watch::Progress progress;
    progress.step = [&](const std::string& what, int done, int total) { voice.step(row.name, what, done, total); };
    progress.change = [&](const storage::ChangeRow& change) { voice.change(change); };
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    const CheckReport report = watch::check_repo(row, hub, *store, options, now, progress, interrupt.token());
    voice.end(row, report);
    if (!first) first = failure(row, report);
    if (report.outcome == Outcome::interrupted) break;
  }
  if (first) return tl::unexpected(std::move(*first));
  return 0;
}

}  // namespace modelwatch::cli
