#include "daemon/cli/pin_verdict.h"

#include <algorithm>

#include "advisories/osv/package_name.h"

namespace modelwatch::cli {
namespace {

using advisories::Impact;

constexpr std::size_t kShortestCommit = 7;

bool is_abbreviated_commit(std::string_view text) {
  return text.size() >= kShortestCommit && text.size() < 40 && text.find_first_not_of("0123456789abcdefABCDEF") == text.npos;
}

/// How many revisions came after the pinned one; none where it is not among them, or an abbreviation is ambiguous.
std::optional<std::size_t> place_of(const PinnedHistory& history, std::string_view commit) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < history.revisions.size(); ++i) {
    if (!history.revisions[i].sha.starts_with(commit)) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

std::string text_of(const json::Value* value) { return value && value->string() ? *value->string() : std::string(); }

void count_changes(const PinnedHistory& history, std::size_t newer, Impact below, PinVerdict& verdict) {
  std::map<advisories::Part, PartBehind> parts;
  bool clean = true;
  for (std::size_t i = newer; i-- > 0;) {  // from the pin towards the head
    const storage::RevisionRow& row = history.revisions[i];
    const auto changes = history.changes.find(row.sha);
    if (changes != history.changes.end())
      for (const storage::ChangeRow& change : changes->second) {
        PartBehind& part = parts[change.part];
        part.part = change.part;
        ++part.revisions;
        if (part.revisions == 1 || change.impact >= part.impact) {
          part.impact = change.impact;
          part.summary = change.summary;
        }
        verdict.impact = std::max(verdict.impact.value_or(change.impact), change.impact);
        clean &= change.impact < below;
      }
    if (!clean) continue;
    verdict.newest_below = row.sha;
    verdict.newest_below_revisions = static_cast<int>(newer - i);
  }
  for (auto& [part, behind] : parts) verdict.parts.push_back(std::move(behind));
  std::stable_sort(verdict.parts.begin(), verdict.parts.end(), [](const auto& a, const auto& b) { return a.impact > b.impact; });
}

}  // namespace

std::string_view name(PinStatus status) {
  switch (status) {
    case PinStatus::current: return "current";
    case PinStatus::behind: return "behind";
    case PinStatus::gone: return "gone";
    case PinStatus::taken_over: return "taken-over";
    case PinStatus::moving: return "moving";
    case PinStatus::unknown: break;
  }
  return "unknown";
}

bool PinVerdict::fails(std::optional<Impact> fail_on, std::optional<Impact> fail_on_present) const {
  if (status == PinStatus::gone || status == PinStatus::taken_over || !lock_problem.empty()) return true;
  if (fail_on && status == PinStatus::behind && impact && *impact >= *fail_on) return true;
  return fail_on_present &&
         std::any_of(advisories.begin(), advisories.end(), [&](const Match& match) { return match.impact >= *fail_on_present; });
}

PinVerdict judge(std::string file, const advisories::Pin& pin, const PinnedHistory* history, Impact below) {
  PinVerdict verdict;
  verdict.file = std::move(file);
  verdict.pin = pin;
  const auto is = [&](PinStatus status, std::string reason = {}) {
    verdict.status = status;
    verdict.reason = std::move(reason);
    return verdict;
  };
  if (!history) return is(PinStatus::unknown, "not tracked");
  const storage::Tracked& tracked = history->tracked;
  verdict.head = tracked.head;
  if (!pin.hub_id.empty() && pin.hub_id != tracked.hub_id)
    return is(PinStatus::taken_over, "the name belonged to " + pin.hub_id + ", now to " + tracked.hub_id);
  if (tracked.access == "gone" || tracked.access == "disabled" || tracked.access == "private")
    return is(PinStatus::gone, "the repository is " + tracked.access + " on the Hub");
  const json::Value* took_over = tracked.facts.find("took_over");
  const bool commit = advisories::full_commit(pin.revision).has_value() || is_abbreviated_commit(pin.revision);
  if (!commit && took_over)
    return is(PinStatus::taken_over, "the name belonged to " + text_of(took_over->find("hub_id")) + " before: pin a revision of the new one, or none");
  if (!commit)
    return is(PinStatus::moving, pin.revision.empty() ? "no revision: whatever is newest is loaded" : "a branch or tag moves: not a commit");

  std::string wanted = pin.revision;
  std::transform(wanted.begin(), wanted.end(), wanted.begin(), [](char c) { return c >= 'A' && c <= 'F' ? char(c + 32) : c; });
  const auto place = place_of(*history, wanted);
  if (!place && took_over) return is(PinStatus::taken_over, "the revision is none of the repository that has the name now");
  if (!place) return is(PinStatus::unknown, "the revision was never seen on " + tracked.ref);
  verdict.revision = history->revisions[*place].sha;
  verdict.behind = static_cast<int>(*place);
  count_changes(*history, *place, below, verdict);
  if (tracked.name != pin.repository) verdict.reason = "renamed to " + tracked.name;
  verdict.status = *place == 0 ? PinStatus::current : PinStatus::behind;
  return verdict;
}

}  // namespace modelwatch::cli
