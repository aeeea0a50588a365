#include "advisories/manifest/weight_index.h"

#include <algorithm>
#include <set>

#include "advisories/diff/json_difference.h"
#include "advisories/diff/rules/rule.h"
#include "advisories/diff/tensor_changes.h"
#include "advisories/diff/weight_findings.h"

namespace modelwatch::advisories {
namespace {

struct IndexFile {
  bool there = false;
  WeightIndex index;
};

IndexFile read(const Snapshot& snapshot, const ListedFile* file) {
  IndexFile read;
  if (!file) return read;
  auto bytes = snapshot.contents->read(*file);
  read.there = true;
  if (const auto* why = std::get_if<NotRead>(&bytes)) read.index.trouble = "not read: " + why->reason;
  else read.index = WeightIndex::read(std::get<Bytes>(bytes));
  return read;
}

Finding about(const ChangedFile& file, std::string_view rule, Impact impact, std::optional<std::string> pointer, std::string meaning) {
  Finding finding;
  finding.rule = "weights.index." + std::string(rule);
  finding.impact = impact;
  finding.path = file.path();
  finding.pointer = std::move(pointer);
  finding.meaning = std::move(meaning);
  const WeightName name = weight_name(file.path());
  finding.cause = "weights." + name.folder + name.stem;
  return finding;
}

/// Shards that the index names and the listing lacks.
std::vector<std::string> dangling(const WeightIndex& index, const Listing& listing, const std::string& folder) {
  std::vector<std::string> missing;
  for (const std::string& file : index.files())
    if (!listing.find(folder + file)) missing.push_back(file);
  std::sort(missing.begin(), missing.end());
  return missing;
}

struct MapChanges {
  Counted added, removed, moved;
};

MapChanges compare_maps(const WeightIndex& before, const WeightIndex& after) {
  MapChanges changes;
  std::size_t i = 0, j = 0;
  while (i < before.size() || j < after.size()) {
    if (j == after.size() || (i < before.size() && before[i].tensor < after[j].tensor)) {
      changes.removed.add(std::string(before[i++].tensor));
    } else if (i == before.size() || after[j].tensor < before[i].tensor) {
      changes.added.add(std::string(after[j++].tensor));
    } else {
      const WeightIndex::Entry was = before[i++], is = after[j++];
      if (was.file != is.file) changes.moved.add(std::string(is.tensor) + ": " + std::string(was.file) + " → " + std::string(is.file));
    }
  }
  return changes;
}

/// One finding for the whole map. What becomes of the tensors themselves is told by the set's own findings.
void diff_map(const DiffInput& input, const ChangedFile& file, const WeightIndex& before, const WeightIndex& after, std::vector<Finding>& findings) {
  const MapChanges changes = compare_maps(before, after);
  if (changes.added.count + changes.removed.count + changes.moved.count == 0) return;
  const std::string folder = weight_name(file.path()).folder;
  const auto missing_before = dangling(before, input.before.listing, folder), missing_after = dangling(after, input.after.listing, folder);
  const bool shards_changed = std::any_of(input.changed.begin(), input.changed.end(), [&](const ChangedFile& other) {
    return &other != &file && other.part == Part::weights && other.path().starts_with(folder);
  });
  Finding finding = about(file, "weight_map", Impact::breaking, "/weight_map",
                          "weight_map: " + std::to_string(changes.added.count) + " tensors added, " + std::to_string(changes.removed.count) + " removed, " +
                              std::to_string(changes.moved.count) + " moved to another shard");
  if (!missing_before.empty() && missing_after.empty()) {
    finding.meaning += ": it named " + missing_before.front() + ", which is not there, and names files that are; loading failed before";
  } else if (shards_changed) {
    finding.impact = changes.removed.count ? Impact::breaking : changes.added.count ? Impact::behaviour : Impact::cosmetic;
    finding.meaning += ", with the shards";
  } else {
    finding.meaning += ", while no shard changed: loaders look for tensors where they were not before";
  }
  finding.evidence.append("added", changes.added.to_json());
  finding.evidence.append("removed", changes.removed.to_json());
  finding.evidence.append("moved", changes.moved.to_json());
  findings.push_back(std::move(finding));
}

void diff_rest(const ChangedFile& file, const json::Value& before, const json::Value& after, std::vector<Finding>& findings) {
  for (const Edit& edit : difference(before, after)) {
    if (edit.pointer.empty()) continue;  // no object on one side: that it cannot be read is said already
    Finding finding = about(file, "record", Impact::cosmetic, edit.pointer, {});
    if (edit.before) finding.before = *edit.before;
    if (edit.after) finding.after = *edit.after;
    const std::string key = edit.pointer.substr(1);
    finding.meaning = key + " " + (edit.before ? "changed from " + said(edit.before) : "set") + (edit.after ? " to " + said(edit.after) : " removed");
    const bool object_before = edit.before && edit.before->is_object(), object_after = edit.after && edit.after->is_object();
    if (edit.pointer == "/metadata" && edit.before && edit.after && object_before != object_after) {
      finding.rule = "weights.index.metadata";
      finding.impact = Impact::breaking;
      finding.meaning += object_after ? ": loaders that expect an object failed on it before" : ": loaders expect an object and fail";
    } else {
      finding.meaning += ": no tensor moves";
    }
    findings.push_back(std::move(finding));
  }
}

void add_dangling(const DiffInput& input, const ChangedFile& file, const IndexFile& before, const IndexFile& after, std::vector<Finding>& findings) {
  const std::string folder = weight_name(file.path()).folder;
  const auto missing = dangling(after.index, input.after.listing, folder);
  if (missing.empty() || missing == dangling(before.index, input.before.listing, folder)) return;
  Finding finding = about(file, "dangling", Impact::breaking, std::nullopt,
                          "the index names " + missing.front() + (missing.size() > 1 ? " and " + std::to_string(missing.size() - 1) + " more files" : "") +
                              ", not in the repository: loading fails");
  finding.evidence.append("missing", json::Array(missing.begin(), missing.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(missing.size(), 50))));
  findings.push_back(std::move(finding));
}

void told_by_presence(const ChangedFile& file, PartChange& change) {
  if (!file.before) change.findings.push_back(about(file, "added", Impact::cosmetic, "", "index of shards " + file.path() + " added"));
  else change.findings.push_back(about(file, "removed", Impact::breaking, "", "index of shards " + file.path() + " removed: loaders no longer find the shards"));
}

}  // namespace

void diff_weight_index(const DiffInput& input, const ChangedFile& file, PartChange& change) {
  const IndexFile before = read(input.before, file.before), after = read(input.after, file.after);
  for (const auto& [side, index] : {std::pair("before", &before), std::pair("after", &after)})
    if (!index->index.trouble.empty()) change.unreadable.push_back({file.path(), side, index->index.trouble});
  const bool unread = before.index.trouble.starts_with("not read") || after.index.trouble.starts_with("not read");
  if (!file.before || !file.after) {
    told_by_presence(file, change);
    if (after.there && !unread) add_dangling(input, file, before, after, change.findings);
    return;
  }
  if (unread) {
    change.findings.push_back(about(file, "not_read", Impact::unknown, "", file.path() + " changed, but could not be compared"));
    return;
  }
  const std::size_t first = change.findings.size();
  if (before.index.trouble.empty() != after.index.trouble.empty()) {
    const bool broke = !after.index.trouble.empty();
    change.findings.push_back(about(file, broke ? "unparsable" : "parses_again", Impact::breaking, "",
                                    file.path() + (broke ? " is no JSON any more (" + after.index.trouble + "): loaders fail on it"
                                                         : " was no JSON (" + before.index.trouble + ") and is again")));
  }
  diff_map(input, file, before.index, after.index, change.findings);
  diff_rest(file, before.index.rest, after.index.rest, change.findings);
  add_dangling(input, file, before, after, change.findings);
  if (change.findings.size() == first) change.findings.push_back(about(file, "respelled", Impact::cosmetic, std::nullopt, file.path() + " was written anew with the same content"));
}

}  // namespace modelwatch::advisories
