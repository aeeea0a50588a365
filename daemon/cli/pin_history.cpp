#include "daemon/cli/pin_history.h"

#include <algorithm>

#include "estimator/json/reader.h"

namespace modelwatch::cli {
namespace {

constexpr int kPage = 500, kMostMatches = 100;

Result<void> read_revisions(storage::Store& store, PinnedHistory& history) {
  std::string before;
  while (true) {
    auto page = store.revisions(history.tracked.name, history.tracked.ref, kPage, before);
    if (!page) return tl::unexpected(page.error());
    const bool last = page->size() < static_cast<std::size_t>(kPage);
    std::move(page->begin(), page->end(), std::back_inserter(history.revisions));
    if (last) return {};
    before = history.revisions.back().sha;
  }
}

Result<void> read_changes(storage::Store& store, PinnedHistory& history) {
  storage::ChangeFilter filter;
  filter.repository = history.tracked.name;
  while (true) {
    auto page = store.changes(filter, kPage);
    if (!page) return tl::unexpected(page.error());
    const bool last = page->size() < static_cast<std::size_t>(kPage);
    for (storage::ChangeRow& change : *page) {
      filter.after = change.sequence;
      if (change.event == "change") history.changes[change.sha].push_back(std::move(change));
    }
    if (last) return {};
  }
}

}  // namespace

PinJudge::PinJudge(storage::Store& store, std::string hub, advisories::Impact below)
    : store_(store), hub_(std::move(hub)), below_(below) {}

Result<PinVerdict> PinJudge::operator()(const std::string& file, const advisories::Pin& pin) {
  const PinnedHistory* history = nullptr;
  if (pin.hub == hub_) {
    const auto found = history_of(pin.repository);
    if (!found) return tl::unexpected(found.error());
    history = *found;
  }
  PinVerdict verdict = judge(file, pin, history, below_);
  if (pin.hub != hub_) verdict.reason = "on another hub: " + pin.hub;
  if (!verdict.revision.empty())
    if (auto matched = add_matches(verdict); !matched) return tl::unexpected(matched.error());
  return verdict;
}

Result<const PinnedHistory*> PinJudge::history_of(const std::string& repository) {
  if (const auto known = histories_.find(repository); known != histories_.end()) return known->second.get();
  auto tracked = store_.find(repository);
  if (!tracked && tracked.error().kind != ErrorKind::not_found) return tl::unexpected(tracked.error());
  auto& slot = histories_[repository];
  if (!tracked) return nullptr;
  auto history = std::make_unique<PinnedHistory>();
  history->tracked = std::move(*tracked);
  if (auto read = read_revisions(store_, *history); !read) return tl::unexpected(read.error());
  if (auto read = read_changes(store_, *history); !read) return tl::unexpected(read.error());
  slot = std::move(history);
  return slot.get();
}

Result<advisories::States> PinJudge::states(const std::string& repository, const std::string& revision) {
  const auto history = history_of(repository);
  if (!history) return tl::unexpected(history.error());
  if (!*history) return fail(ErrorKind::not_found, repository + " is not tracked");
  return store_.states((*history)->tracked.repository, revision);
}

Result<void> PinJudge::add_matches(PinVerdict& verdict) {
  const auto page = store_.advisories_by_version(verdict.pin.repository, verdict.revision, std::nullopt, kMostMatches);
  if (!page) return tl::unexpected(page.error());
  for (const storage::DocumentRow& row : page->rows) {
    const auto document = json::read(row.document);
    const auto advisory = document ? advisories::from_osv(document->value) : fail(ErrorKind::database, document.error().to_string());
    if (!advisory) return fail(ErrorKind::database, row.id + " cannot be read: " + advisory.error().message, "modelwatch db check");
    verdict.advisories.push_back({row.id, advisory->part, advisory->impact});
  }
  std::stable_sort(verdict.advisories.begin(), verdict.advisories.end(), [](const auto& a, const auto& b) { return a.impact > b.impact; });
  return {};
}

}  // namespace modelwatch::cli
