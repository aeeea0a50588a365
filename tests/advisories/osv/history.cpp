#include "history.h"

#include <algorithm>
#include <stdexcept>

namespace modelwatch::advisories::testing {
namespace {

States states_of(const History::Revision& revision) { return {revision.parts.begin(), revision.parts.end()}; }

Diff diff_of(const History::Revision& before, const History::Revision& after) {
  Diff diff;
  for (const Part part : kParts) {
    const auto was = before.parts.find(part), is = after.parts.find(part);
    const bool there_before = was != before.parts.end(), there_after = is != after.parts.end();
    const bool touched = std::count(after.retouched.begin(), after.retouched.end(), part) > 0;
    if (!there_before && !there_after) continue;
    const bool equal = there_before && there_after && was->second == is->second;
    if (equal && !touched) continue;
    Change change;
    change.part = part;
    const auto impact = after.impacts.find(part);
    change.impact = equal ? Impact::cosmetic : impact != after.impacts.end() ? impact->second : Impact::behaviour;
    change.kind = !there_before ? "added" : !there_after ? "removed" : "modified";
    change.findings.push_back({});
    change.findings.back().impact = change.impact;
    diff.parts.push_back(std::move(change));
  }
  return diff;
}

}  // namespace

const History::Revision& History::revision(const std::string& sha) const {
  for (const Revision& revision : revisions_)
    if (revision.sha == sha) return revision;
  throw std::out_of_range(sha);
}

std::vector<Advisory> History::listing(const std::string& sha) const {
  std::vector<Advisory> out;
  for (const auto& [id, a] : book_)
    if (!a.withdrawn && std::count(a.versions.begin(), a.versions.end(), sha) > 0) out.push_back(a);
  return out;
}

bool History::is_ancestor(const std::string& ancestor, const std::string& sha) const {
  for (std::string at = sha; !at.empty(); at = revision(at).parent)
    if (at == ancestor) return true;
  return false;
}

bool History::in_range(const Advisory& a, const std::string& sha) const {
  std::vector<std::string> introduced = a.reintroduced;
  introduced.push_back(a.introduced);
  const auto reaches = [&](const std::string& from) { return is_ancestor(from, sha); };
  if (std::none_of(introduced.begin(), introduced.end(), reaches)) return false;
  return std::none_of(a.closings.begin(), a.closings.end(), [&](const Closing& c) { return c.fixed && reaches(c.sha); });
}

void History::baseline(Revision revision) {
  head_ = revision.sha;
  revisions_.push_back(std::move(revision));
}

std::vector<Advisory> History::commit(Revision revision) {
  revision.parent = head_;
  revisions_.push_back(revision);
  return step(revision, false, "");
}

std::vector<Advisory> History::force(Revision revision, const std::string& base) {
  revisions_.push_back(revision);
  return step(revision, true, base);
}

std::vector<Advisory> History::go_to(const std::string& sha) {
  return step(revision(sha), !is_ancestor(head_, sha), sha);
}

std::vector<Advisory> History::step(const Revision& revision, bool rewritten, const std::string& base) {
  const Revision previous = this->revision(head_);
  const Diff diff = diff_of(previous, revision);
  LedgerInput input;
  input.repository = {"https://huggingface.co", "org/name", "65d0f1e2c3b4a59687f0e1d2"};
  input.step = {revision.sha, head_, "refs/heads/main", *parse_rfc3339("2026-03-01T00:00:00Z"), rewritten, base};
  input.diff = &diff;
  input.states_before = states_of(previous);
  input.states_after = states_of(revision);
  input.open = listing(head_);
  if (!base.empty()) {
    input.at_base = listing(base);
    input.states_base = states_of(this->revision(base));
  }
  input.earlier = [&](Part part, const std::string& state) -> std::optional<EarlierState> {
    for (const Revision& earlier : revisions_)
      if (const auto found = earlier.parts.find(part); earlier.sha != revision.sha && found != earlier.parts.end() && found->second == state)
        return EarlierState{earlier.sha};
    return std::nullopt;
  };
  input.taken = [&](const std::string& id) { return book_.contains(id); };
  input.minimum = minimum_;
  input.now = clock_ += std::chrono::seconds(1);
  std::vector<Advisory> written = advance(input, {});
  for (const Advisory& a : written) book_[a.id] = a;
  head_ = revision.sha;
  return written;
}

}  // namespace modelwatch::advisories::testing
