#include "advisories/diff/diff.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "advisories/diff/causes.h"
#include "advisories/diff/changed_files.h"
#include "advisories/diff/lint.h"
#include "advisories/diff/part_differ.h"
#include "advisories/diff/plan_effect.h"
#include "advisories/manifest/digest.h"
#include "advisories/manifest/files.h"

namespace modelwatch::advisories {
namespace {

/// In the order of enum Part. The part `repository` is not about files: its events are the pipeline's.
constexpr std::array kDiffers = {&kConfigDiffer,  &kGenerationDiffer, &kTokenizerDiffer, &kChatTemplateDiffer,
                                 &kWeightsDiffer, &kCodeDiffer,       &kProcessorDiffer, &kAdapterDiffer,
                                 &kCardDiffer,    &kLicenseDiffer,    &kOtherDiffer};

bool graver(const Finding& a, const Finding& b) {
  if (a.impact != b.impact) return a.impact > b.impact;
  return std::tie(a.path, a.pointer, a.rule) < std::tie(b.path, b.pointer, b.rule);
}

/// A contradiction that this revision is the first to show belongs to its file's part, or to the gravest that changed.
void add_new_faults(const DiffInput& input, std::vector<Change>& parts) {
  const bool judged = std::any_of(parts.begin(), parts.end(), [](const Change& change) {
    return change.part != Part::other && change.part != Part::chat_template && change.impact > Impact::cosmetic;
  });
  if (!judged) return;
  for (Finding& fault : new_faults(input.before, input.after)) {
    auto at = std::find_if(parts.begin(), parts.end(), [&](const Change& change) { return change.part == part_of(fault.path); });
    if (at == parts.end())
      at = std::max_element(parts.begin(), parts.end(), [](const Change& a, const Change& b) { return a.impact < b.impact; });
    at->findings.push_back(std::move(fault));
  }
}

void finish(Change& change, const DiffInput& input) {
  std::stable_sort(change.findings.begin(), change.findings.end(), graver);
  change.impact = change.findings.front().impact;
  if (change.kind.empty()) change.kind = change_kind(input.before, input.after, change.part);
  if (change.summary.empty()) change.summary = summary_of(change);
}

Impact gravest(const std::vector<Finding>& findings) {
  Impact impact = Impact::cosmetic;
  for (const Finding& finding : findings) impact = std::max(impact, finding.impact);
  return impact;
}

}  // namespace

Diff diff(const Snapshot& before, const Snapshot& after) {
  const std::vector<ChangedFile> changed = changed_files(before.listing, after.listing);
  Documents documents_before(before), documents_after(after);
  const DiffInput input{before, after, changed, documents_before, documents_after};
  Diff result;
  for (const PartDiffer* differ : kDiffers) {
    const bool touched = std::any_of(changed.begin(), changed.end(), [&](const ChangedFile& file) {
      return (file.before && differ->reads(file.before->path)) || (file.after && differ->reads(file.after->path));
    });
    if (!touched) continue;
    PartChange found = differ->diff(input);
    std::move(found.unreadable.begin(), found.unreadable.end(), std::back_inserter(result.unreadable));
    if (found.findings.empty()) continue;
    const Impact impact = gravest(found.findings);
    result.parts.push_back({differ->part, impact, std::move(found.kind), std::move(found.summary), std::move(found.findings)});
  }
  add_new_faults(input, result.parts);
  for (Change& change : result.parts) {
    finish(change, input);
    result.impact = std::max(result.impact, change.impact);
  }
  assign_causes(result.parts);
  result.plan = plan_effect(input, result.parts);
  // Two parts may read one file (tokenizer_config.json holds a template): its trouble is said once.
  const auto same = [](const Unreadable& a, const Unreadable& b) { return a.path == b.path && a.side == b.side; };
  std::stable_sort(result.unreadable.begin(), result.unreadable.end(), [](const Unreadable& a, const Unreadable& b) {
    return std::tie(a.path, b.side) < std::tie(b.path, a.side);  // "before" ahead of "after"
  });
  result.unreadable.erase(std::unique(result.unreadable.begin(), result.unreadable.end(), same), result.unreadable.end());
  return result;
}

States states(const Snapshot& snapshot) { return states_after({}, {}, snapshot); }

States states_after(const Snapshot& before, const States& states_before, const Snapshot& after) {
  const std::vector<ChangedFile> changed = changed_files(before.listing, after.listing);
  States states;
  for (const PartDiffer* differ : kDiffers) {
    const bool touched = std::any_of(changed.begin(), changed.end(), [&](const ChangedFile& file) {
      return (file.before && differ->reads(file.before->path)) || (file.after && differ->reads(file.after->path));
    });
    const auto known = states_before.find(differ->part);
    if (!touched && known != states_before.end()) states.insert(*known);
    else if (const auto meaning = differ->meaning(after)) states[differ->part] = "sha256:" + sha256(*meaning);
  }
  return states;
}

}  // namespace modelwatch::advisories
