#include "advisories/manifest/weights.h"

#include <algorithm>
#include <map>

#include "advisories/diff/tensor_changes.h"
#include "advisories/diff/weight_findings.h"
#include "advisories/manifest/digest.h"
#include "advisories/manifest/files.h"
#include "advisories/manifest/weight_index.h"

namespace modelwatch::advisories {
namespace {

bool reads(std::string_view path) { return part_of(path) == Part::weights; }

using Group = std::map<std::string, std::vector<const ChangedFile*>>;

const WeightSet* at(const WeightSets& sets, const std::string& key) {
  const auto found = sets.find(key);
  return found == sets.end() ? nullptr : &found->second;
}

void note_unreadable(const StoredTensors& stored, const char* side, PartChange& change) {
  for (const FileFault& fault : stored.faults)
    if (fault.damaged) change.unreadable.push_back({fault.path, side, fault.reason});
}

void diff_set(const DiffInput& input, const ChangedSet& changed, const WeightSets& all_after, PartChange& change) {
  const bool safetensors = changed.set().name.format == WeightFormat::safetensors;
  StoredTensors before, after;
  if (safetensors && changed.before) before = read_tensors(input.before, *changed.before);
  if (safetensors && changed.after) after = read_tensors(input.after, *changed.after);
  note_unreadable(before, "before", change);
  note_unreadable(after, "after", change);
  const std::size_t first = change.findings.size();
  add_damage(changed, before, after, change.findings);
  add_completeness(changed, change.findings);
  if (!changed.before) {
    change.findings.push_back(added_weights(changed, all_after));
    if (safetensors && after.faults.empty()) change.findings.back().evidence.append("totals_after", to_json(totals(after.table)));
  } else if (!changed.after) {
    change.findings.push_back(removed_weights(changed, all_after));
  } else if (safetensors && before.faults.empty() && after.faults.empty() && !changed.after->empty()) {
    auto found = changed_tensors(changed, before, after);
    std::move(found.begin(), found.end(), std::back_inserter(change.findings));
  } else if (change.findings.size() == first || changed.set().name.format == WeightFormat::pickle) {
    change.findings.push_back(replaced_weights(changed));
  }
}

PartChange diff_weights(const DiffInput& input) {
  PartChange change;
  const WeightSets before = weight_sets(input.before.listing), after = weight_sets(input.after.listing);
  std::map<std::string, ChangedSet> changed;
  Group renamed;
  for (const ChangedFile* file : input.changed_in(Part::weights)) {
    const WeightName name = weight_name(file->path());
    if (file->moved()) {
      // an index that moves with its shards is said with them
      renamed[weight_name(file->before->path).key() + "\n" + name.key()].push_back(file);
    } else if (name.index) {
      diff_weight_index(input, *file, change);
    } else {
      ChangedSet& set = changed[name.key()];
      set.before = at(before, name.key());
      set.after = at(after, name.key());
      set.files.push_back(file);
    }
  }
  for (const auto& [keys, files] : renamed) change.findings.push_back(renamed_weights(files));
  for (const auto& [key, set] : changed) diff_set(input, set, after, change);
  return change;
}

/// Which tensor is in which shard; the rest of an index is bookkeeping.
std::string index_meaning(const Snapshot& snapshot, const ListedFile& file) {
  const auto bytes = snapshot.contents->read(file);
  if (std::holds_alternative<NotRead>(bytes)) return std::string(file.identity());
  const WeightIndex index = WeightIndex::read(std::get<Bytes>(bytes));
  if (!index.trouble.empty()) return std::string(file.identity());
  Hasher hasher(Hasher::Algorithm::sha256);
  for (std::size_t i = 0; i < index.size(); ++i) {
    hasher.update(index[i].tensor);
    hasher.update("\n");
    hasher.update(index[i].file);
    hasher.update("\n");
  }
  return hasher.finish();
}

std::optional<std::string> meaning(const Snapshot& snapshot) {
  std::string text;
  for (const ListedFile& file : snapshot.listing) {
    if (part_of(file.path) != Part::weights) continue;
    text.append(file.path).append(" ").append(weight_name(file.path).index ? index_meaning(snapshot, file) : std::string(file.identity())).append("\n");
  }
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

}  // namespace

const PartDiffer kWeightsDiffer{Part::weights, reads, diff_weights, meaning};

}  // namespace modelwatch::advisories
