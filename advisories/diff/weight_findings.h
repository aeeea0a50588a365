#pragma once
#include "advisories/diff/part_differ.h"
#include "advisories/manifest/weights.h"

/// Findings about one set of weight files; diff/weights.cpp decides which set was changed, and how.
namespace modelwatch::advisories {

/// A set whose files changed, with what of it changed. Moved files are told apart and not in here.
struct ChangedSet {
  const WeightSet* before = nullptr;  ///< null where the set was not there
  const WeightSet* after = nullptr;
  std::vector<const ChangedFile*> files;  ///< added, removed, changed

  const WeightSet& set() const { return after ? *after : *before; }
  std::string path() const;  ///< the index where there is one, else the first changed file
};

Finding renamed_weights(const std::vector<const ChangedFile*>& files);
Finding added_weights(const ChangedSet& changed, const WeightSets& all_after);
Finding removed_weights(const ChangedSet& changed, const WeightSets& all_after);
/// From sizes and names alone: replaced in place, of another precision, split anew.
Finding replaced_weights(const ChangedSet& changed);
/// From the headers of both sides: what became of the tensors.
std::vector<Finding> changed_tensors(const ChangedSet& changed, const StoredTensors& before, const StoredTensors& after);
/// Shards that a set announces and that came to be missing, or are there again.
void add_completeness(const ChangedSet& changed, std::vector<Finding>& findings);
/// Empty files, pointers committed as content, sizes that disagree with headers.
void add_damage(const ChangedSet& changed, const StoredTensors& before, const StoredTensors& after, std::vector<Finding>& findings);

/// model.safetensors.index.json: its members by pointer, weight_map as one finding.
void diff_weight_index(const DiffInput& input, const ChangedFile& file, PartChange& change);

/// "548.12 MB"
std::string size_text(std::uint64_t bytes);

}  // namespace modelwatch::advisories
