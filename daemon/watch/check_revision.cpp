// The steps of a check that concern one revision.
#include <algorithm>
#include <map>

#include "daemon/watch/check.h"
#include "daemon/watch/schedule.h"

namespace modelwatch::watch {

namespace {

using Outcome = CheckReport::Outcome;
using hub::Trouble;

constexpr std::size_t kLongestTitle = 500;  // bytes

std::string capped(std::string text, std::size_t limit) {
  if (text.size() <= limit) return text;
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) --limit;  // not inside a character
  text.resize(limit);
  return text;
}

/// How the ref came to a revision that is no plain successor of the one before.
std::optional<storage::RepositoryEvent> event_of(const Position& at, const std::string& sha, storage::Time now) {
  json::Object detail = {{"before", at.previous}, {"after", sha}};
  if (at.rewritten && at.base == sha) {
    return storage::RepositoryEvent{"ref-moved", now, std::move(detail), advisories::Impact::unknown,
                                    "The ref was set back to a revision seen before: " + at.previous + " left its history"};
  }
  if (at.rewritten) {
    if (!at.base.empty()) detail.set("base", at.base);
    return storage::RepositoryEvent{"history-rewritten", now, std::move(detail), advisories::Impact::unknown,
                                    at.previous + " is no longer part of the history: pins on it may stop resolving"};
  }
  if (at.ancestry_unknown) {
    detail.set("ancestry", "unknown");
    return storage::RepositoryEvent{"ref-moved", now, std::move(detail), advisories::Impact::unknown,
                                    "The history between " + at.previous + " and " + sha + " could not be read"};
  }
  return {};
}

}  // namespace

Step<void> Check::may_go_on(Lease& lease) {
  if (stop_.stop_requested() || options_.drain.stop_requested()) return tl::unexpected<Ended>(Trouble{Trouble::Kind::interrupted, "interrupted", {}, {}});
  if (auto held = take(lease); !held) return held;
  for (const char* bucket : {"api", "resolvers"}) {
    const auto quota = hub_.quota(bucket);
    if (!quota || !is_short({quota->limit, quota->remaining, quota->resets}, now_)) continue;
    return tl::unexpected<Ended>(Trouble{Trouble::Kind::rate_limited,
                                         "less than a fifth of the Hub's " + std::string(bucket) + " quota is left", {},
                                         quota->resets});
  }
  return {};
}

Position Check::position(const Walk& walk, bool first) const {
  Position at;
  at.previous = row.head;
  if (!first) return at;
  at.rewritten = walk.rewritten;
  at.ancestry_unknown = walk.ancestry_unknown;
  at.base = walk.base;
  return at;
}

Step<Fetched> Check::read(const std::string& sha, Lease& lease) {
  const auto stored = store_.has_revision(row.repository, sha);
  if (!stored) return tl::unexpected<Ended>(stored.error());
  if (*stored) {
    auto snapshot = store_.snapshot(row.repository, sha);
    if (!snapshot) return ended(snapshot);
    Fetched known{std::move(*snapshot), {}};
    for (const advisories::ListedFile& file : known.snapshot.listing) known.files.push_back({file, nullptr, {}});
    return known;
  }
  const auto told = [&](int done, int total) {
    (void)lease.hold();  // a loss is seen before the next revision; writing twice changes nothing
    progress_.step("files", done, total);
  };
  return fetch_revision(hub_, store_, row.name, sha, told, stop_);
}

Step<Standing> Check::standing(const std::string& sha) {
  if (sha.empty()) return Standing{};
  auto snapshot = store_.snapshot(row.repository, sha);
  if (!snapshot) return ended(snapshot);
  auto states = store_.states(row.repository, sha);
  if (!states) return ended(states);
  return Standing{std::move(*snapshot), std::move(*states)};
}

storage::RevisionRecord Check::record(const Position& at, const hub::Commit& commit, std::vector<storage::StoredFile> files) const {
  storage::RevisionRecord record;
  record.tracked = row.id;
  record.sha = commit.sha;
  record.parent = at.previous;
  record.committed = commit.date;
  record.seen = now_;
  record.title = capped(commit.title, kLongestTitle);
  record.authors = commit.authors;
  record.rewritten = at.rewritten;
  record.files = std::move(files);
  record.event = event_of(at, commit.sha, now_);
  return record;
}

Step<advisories::LedgerInput> Check::ledger_input(const Position& at, const hub::Commit& commit) {
  advisories::LedgerInput input;
  input.repository = {options_.hub_identity, row.name, row.hub_id};
  // A revision that came with another ref is known: its own changes have their advisories.
  auto stored = store_.has_revision(row.repository, commit.sha);
  if (!stored) return ended(stored);
  const std::string base = *stored && !at.rewritten ? commit.sha : at.base;
  input.step = {commit.sha, at.previous, full_ref(row), commit.date, at.rewritten, base};
  input.minimum = options_.minimum;
  if (!at.previous.empty()) {
    auto open = store_.advisories_at(row.repository, at.previous);
    if (!open) return ended(open);
    input.open = std::move(*open);
  }
  if (!base.empty()) {
    auto at_base = store_.advisories_at(row.repository, base);
    if (!at_base) return ended(at_base);
    auto states = store_.states(row.repository, base);
    if (!states) return ended(states);
    input.at_base = std::move(*at_base);
    input.states_base = std::move(*states);
  }
  input.earlier = [this](advisories::Part part, const std::string& state) { return store_.earlier_state(row.repository, part, state); };
  input.taken = [this](const std::string& id) { return store_.advisory(id).has_value(); };
  return input;
}

Step<void> Check::commit(const storage::RevisionRecord& record, advisories::LedgerInput input) {
  std::vector<advisories::Advisory> written;
  const json::Value* took_over = row.head.empty() ? row.facts.find("took_over") : nullptr;
  const auto text = [](const json::Value* value) { return value && value->string() ? *value->string() : std::string(); };
  auto committed = store_.commit(record, [&](storage::Time clock) {
    input.now = clock;
    if (took_over) {
      written = {advisories::taken_over({input.repository, input.step, text(took_over->find("hub_id")),
                                         text(took_over->find("head")), clock}, options_.feed)};
    } else {
      written = advisories::advance(input, options_.feed);
    }
    return written;
  });
  if (!committed) return ended(committed);

  if (row.head.empty()) report.outcome = Outcome::baseline;
  else if (report.outcome != Outcome::baseline) report.outcome = Outcome::updated;
  // What was there before we came says how lively the repository is by its own dates.
  row.last_change = report.outcome == Outcome::baseline ? std::min(record.committed, now_) : now_;
  row.head = record.sha;
  ++report.revisions;
  std::map<advisories::Part, std::string> opened;
  for (const advisories::Advisory& advisory : written) {
    if (advisory.introduced != record.sha) continue;
    report.advisories.push_back(advisory.id);
    opened.emplace(advisory.part, advisory.id);
  }
  if (record.event) tell_event(*record.event);
  for (const advisories::Change& change : record.diff ? record.diff->parts : std::vector<advisories::Change>{}) {
    storage::ChangeRow told{0, row.name, record.sha, "change", record.committed, now_, change.part, change.impact,
                            change.summary, {}, opened[change.part], record.diff->plan};
    json::Array findings;
    for (const advisories::Finding& finding : change.findings) findings.push_back(to_json(finding));
    told.findings = std::move(findings);
    progress_.change(told);
  }
  return {};
}

void Check::tell_event(const storage::RepositoryEvent& event) const {
  storage::ChangeRow told;
  told.repository = row.name;
  told.event = event.kind;
  told.seen = event.at;
  told.part = advisories::Part::repository;
  told.impact = event.impact;
  told.summary = event.meaning;
  progress_.change(told);
}

}  // namespace modelwatch::watch
