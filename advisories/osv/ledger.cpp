#include "advisories/osv/ledger.h"

#include <algorithm>
#include <map>

#include "advisories/osv/touched_files.h"
#include "estimator/json/writer.h"

namespace modelwatch::advisories {
namespace {

constexpr std::size_t kLongestValue = 4096;  ///< bytes of compact JSON of a finding's before or after

bool contains(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

void add_unique(std::vector<std::string>& list, const std::string& item) {
  if (!item.empty() && !contains(list, item)) list.push_back(item);
}

std::string state_of(const States& states, Part part) {
  const auto found = states.find(part);
  return found == states.end() ? std::string() : found->second;
}

/// A document stays readable: a value beyond the cap is left out and the evidence says how long it was.
void cap(Finding& finding) {
  for (const auto& [value, key] : {std::pair{&finding.before, "before_bytes"}, std::pair{&finding.after, "after_bytes"}}) {
    if (!*value) continue;
    const std::size_t bytes = json::write(**value).size();
    if (bytes <= kLongestValue) continue;
    value->reset();
    finding.evidence.set(key, bytes);
  }
}

/// One call of advance(): what the step opens and what it does to each advisory that was open.
class Page {
 public:
  Page(const LedgerInput& input, const FeedIdentity& feed) : in_(input), step_(input.step), feed_(feed) {}

  std::vector<Advisory> write() {
    note_covered_parts();
    for (const Change& change : in_.diff->parts)
      if (opens(change)) open(change);
    if (step_.rewritten && !known()) open_rewritten_history();
    for (std::size_t i = 0; i < opened_.size(); ++i)
      for (std::size_t k = 0; k < opened_.size(); ++k)
        if (i != k) add_unique(opened_[i].related, opened_[k].id);
    for (const Advisory& a : in_.at_base) turn(a, true);
    for (const Advisory& a : in_.open)
      if (!at_base(a.id)) turn(a, false);
    for (const auto& [explaining, ended] : explained_) relate(explaining, ended);
    std::vector<Advisory> out = std::move(opened_);
    std::move(changed_.begin(), changed_.end(), std::back_inserter(out));
    return out;
  }

 private:
  bool known() const { return step_.base == step_.sha; }
  bool at_base(const std::string& id) const {
    return std::any_of(in_.at_base.begin(), in_.at_base.end(), [&](const Advisory& a) { return a.id == id; });
  }
  const Change* change_of(Part part) const {
    for (const Change& change : in_.diff->parts)
      if (change.part == part) return &change;
    return nullptr;
  }
  bool same_as_at_base(Part part) const { return state_of(in_.states_base, part) == state_of(in_.states_after, part); }

  /// Whether the state that `a` reports is the state of `sha` still.
  bool holds(const Advisory& a, bool from_base) const {
    if (a.part == Part::repository) return !(a.kind == "history-rewritten" && step_.rewritten);
    if (from_base && known()) return true;
    if (from_base && step_.rewritten && a.impact != Impact::cosmetic)
      return same_as_at_base(a.part) || a.to.state == state_of(in_.states_after, a.part);
    const Change* change = change_of(a.part);
    if (!change) return true;
    if (change->impact == Impact::cosmetic) return a.impact != Impact::cosmetic;
    return step_.rewritten && !a.to.state.empty() && a.to.state == state_of(in_.states_after, a.part);
  }

  /// Parts whose present state an advisory from before explains: nothing opens for them.
  void note_covered_parts() {
    for (const Advisory& a : in_.at_base)
      if (a.impact != Impact::cosmetic && a.part != Part::repository && holds(a, true)) covered_.emplace(a.part, a.id);
    if (!step_.rewritten) return;
    for (const Advisory& a : in_.open)
      if (a.impact != Impact::cosmetic && a.part != Part::repository && holds(a, at_base(a.id))) covered_.emplace(a.part, a.id);
  }

  bool opens(const Change& change) const {
    const bool wanted = change.impact == Impact::unknown || change.impact >= in_.minimum;
    return wanted && !known() && !covered_.contains(change.part);
  }

  Advisory blank(Part part, Impact impact) const {
    Advisory a;
    const int year = year_of(step_.committed);
    a.id = advisory_id(feed_.id_prefix, year, in_.repository.name, step_.sha, part);
    if (in_.taken && in_.taken(a.id)) a.id = advisory_id(feed_.id_prefix, year, in_.repository.name, step_.sha, part, 16);
    a.repository = in_.repository;
    a.part = part;
    a.impact = impact;
    a.from.revision = step_.previous;
    a.to.revision = a.introduced = step_.sha;
    a.observed_ref = step_.ref;
    a.versions = {step_.sha};
    a.published = a.modified = a.significant_at = in_.now;
    return a;
  }

  void open(const Change& change) {
    Advisory a = blank(change.part, change.impact);
    a.kind = change.kind;
    a.from.state = state_of(in_.states_before, change.part);
    a.to.state = state_of(in_.states_after, change.part);
    a.findings_total = change.findings.size();
    a.findings.assign(change.findings.begin(),
                      change.findings.begin() + std::ptrdiff_t(std::min(change.findings.size(), kMostFindings)));
    std::for_each(a.findings.begin(), a.findings.end(), cap);
    if (in_.before && in_.after) {
      TouchedFiles touched = touched_files(change, *in_.before, *in_.after);
      a.files = std::move(touched.files);
      a.files_total = touched.total;
    }
    if (says_plan(change.part)) a.plan = in_.diff->plan;
    if (const auto earlier = earlier_state(change.part)) a.equals_revision = earlier->revision;
    opened_.push_back(std::move(a));
  }

  /// The plan is said once per commit: by the gravest-reading part that opens, in the order in which parts move it.
  bool says_plan(Part part) const {
    for (const Part mover : {Part::config, Part::weights, Part::adapter})
      if (const Change* change = change_of(mover); change && opens(*change)) return part == mover;
    for (const Change& change : in_.diff->parts)
      if (opens(change)) return part == change.part;
    return false;
  }

  std::optional<EarlierState> earlier_state(Part part) const {
    const std::string now = state_of(in_.states_after, part);
    if (now.empty() || now == state_of(in_.states_before, part) || !in_.earlier) return std::nullopt;
    const auto earlier = in_.earlier(part, now);
    return earlier && earlier->revision != step_.sha ? earlier : std::nullopt;
  }

  void open_rewritten_history() {
    Advisory a = blank(Part::repository, Impact::unknown);
    a.kind = "history-rewritten";
    Finding finding;
    finding.rule = "repository.history.rewritten";
    finding.impact = Impact::unknown;
    finding.meaning = step_.previous + " is no longer part of the history: pins on revisions from before may stop resolving";
    finding.evidence = {{"method", "commit-list"}};
    if (!step_.base.empty()) finding.evidence.set("last_common_revision", step_.base);
    a.findings = {std::move(finding)};
    a.findings_total = 1;
    opened_.push_back(std::move(a));
  }

  Advisory* opened_for(const Advisory& a) {
    for (Advisory& b : opened_)
      if (b.part == a.part && (a.part != Part::repository || b.kind == a.kind)) return &b;
    return nullptr;
  }

  void turn(Advisory a, bool from_base) {
    if (from_base && known()) return revive(std::move(a));
    const auto cover = covered_.find(a.part);
    const bool explained = cover != covered_.end() && cover->second != a.id && a.impact != Impact::cosmetic;
    // A known revision that does not list the advisory is no new one of its range, even where the state is equal.
    const bool gone_back = known() && step_.rewritten;
    if (explained || gone_back || !holds(a, from_base)) return close(std::move(a), explained ? cover->second : "");
    if (!known() || a.closings.empty()) extend(std::move(a), from_base);
  }

  /// The ref came back to a line that has the state, after it had gone back to before.
  void revive(Advisory a) {
    if (std::erase_if(a.closings, [](const Closing& closing) { return !closing.fixed; }) == 0) return;
    touch(std::move(a), true);
  }

  void extend(Advisory a, bool from_base) {
    if (contains(a.versions, step_.sha)) return;
    a.versions.push_back(step_.sha);
    if (step_.rewritten) {
      a.history_rewritten = true;
      if (!from_base) add_unique(a.reintroduced, step_.sha);
    }
    touch(std::move(a), false);
  }

  void close(Advisory a, const std::string& explained_by) {
    const auto same = [&](const Closing& closing) { return closing.sha == step_.sha; };
    if (std::any_of(a.closings.begin(), a.closings.end(), same)) return;
    Closing closing{step_.sha, why(a), explained_by, !(known() && step_.rewritten)};
    if (Advisory* successor = opened_for(a)) {
      closing.closing_advisory = successor->id;
      add_unique(successor->related, a.id);
      undoes(*successor, a);
    }
    if (!explained_by.empty()) explained_.emplace_back(explained_by, a.id);
    add_unique(a.related, closing.closing_advisory);
    if (step_.rewritten) a.history_rewritten = true;
    a.closings.push_back(std::move(closing));
    touch(std::move(a), true);
  }

  /// The other direction of `related`, for an advisory that was there before.
  void relate(const std::string& id, const std::string& other) {
    for (Advisory& a : changed_)
      if (a.id == id) return add_unique(a.related, other);
    for (const std::vector<Advisory>* list : {&in_.at_base, &in_.open})
      for (Advisory a : *list)
        if (a.id == id && !contains(a.related, other)) {
          a.related.push_back(other);
          return touch(std::move(a), false);
        }
  }

  std::string why(const Advisory& a) const {
    if (step_.rewritten) return "rewritten";
    const Change* change = change_of(a.part);
    if (change && change->kind == "removed") return "removed";
    return earlier_state(a.part) ? "reverted" : "superseded";
  }

  /// `successor` brings back what was before `a`, or an earlier state still.
  void undoes(Advisory& successor, const Advisory& a) const {
    if (a.impact == Impact::cosmetic || a.part == Part::repository) return;
    const bool never_there_again = successor.kind == "removed" && a.kind == "added";
    if (never_there_again || !successor.equals_revision.empty()) successor.reverts = a.id;
  }

  void touch(Advisory a, bool significant) {
    a.modified = in_.now;
    if (significant) a.significant_at = in_.now;
    changed_.push_back(std::move(a));
  }

  const LedgerInput& in_;
  const Step& step_;
  const FeedIdentity& feed_;
  std::map<Part, std::string> covered_;  ///< part → id of the advisory that explains its state at `sha`
  std::vector<Advisory> opened_, changed_;
  std::vector<std::pair<std::string, std::string>> explained_;  ///< (covering advisory, the one it ended)
};

}  // namespace

std::vector<Advisory> advance(const LedgerInput& input, const FeedIdentity& feed) {
  if (!input.diff || input.step.previous.empty()) return {};
  return Page(input, feed).write();
}

}  // namespace modelwatch::advisories
