// Advisories about the repository itself, and what happens to records outside of a step.
#include <algorithm>

#include "advisories/osv/ledger.h"

namespace modelwatch::advisories {

Advisory taken_over(const Takeover& takeover, const FeedIdentity& feed) {
  Advisory a;
  a.id = advisory_id(feed.id_prefix, year_of(takeover.first.committed), takeover.newcomer.name, takeover.first.sha, Part::repository);
  a.repository = takeover.newcomer;
  a.part = Part::repository;
  a.impact = Impact::security;
  a.kind = "taken-over";
  a.from.revision = takeover.former_head;
  a.to.revision = a.introduced = takeover.first.sha;
  a.observed_ref = takeover.first.ref;
  a.versions = {takeover.first.sha};
  Finding finding;
  finding.rule = "repository.name.taken_over";
  finding.impact = Impact::security;
  finding.meaning = "the name now belongs to another repository: " + takeover.newcomer.hub_id + ", before " + takeover.former_hub_id;
  finding.evidence = {{"method", "hub-id"}, {"hub_id_before", takeover.former_hub_id}, {"hub_id_after", takeover.newcomer.hub_id}};
  a.findings = {std::move(finding)};
  a.findings_total = 1;
  a.published = a.modified = a.significant_at = takeover.now;
  return a;
}

std::vector<Advisory> renamed(std::vector<Advisory> advisories, std::string_view new_name, Time now) {
  std::erase_if(advisories, [&](const Advisory& a) {
    return a.repository.name == new_name ||
           std::find(a.further_names.begin(), a.further_names.end(), new_name) != a.further_names.end();
  });
  for (Advisory& a : advisories) {
    a.further_names.emplace_back(new_name);
    a.modified = now;
  }
  return advisories;
}

Advisory withdrawn(Advisory advisory, std::string_view reason, Time now) {
  advisory.withdrawn = advisory.modified = advisory.significant_at = now;
  advisory.withdrawn_reason = reason;
  return advisory;
}

}  // namespace modelwatch::advisories
