#pragma once
#include <map>
#include <string>
#include <vector>

#include "advisories/manifest/snapshot.h"
#include "advisories/manifest/tensor_table.h"
#include "advisories/manifest/weight_names.h"

namespace modelwatch::advisories {

/// Weight files that are loaded together: one file, or the shards of one model with their index.
struct WeightSet {
  WeightName name;                       ///< of any of its files
  std::vector<const ListedFile*> files;  ///< without the index, by path; never empty
  const ListedFile* index = nullptr;

  std::uint64_t bytes() const;
  bool empty() const;  ///< nothing but empty files and stubs without a tensor
};
using WeightSets = std::map<std::string, WeightSet>;  ///< by WeightName::key()

/// The sets of a revision. An index whose shards are not there makes no set.
WeightSets weight_sets(const Listing& listing);

/// No bytes, or the 16 of a safetensors file without tensors.
bool is_empty_weights(const ListedFile& file);

/// The numbers that shards announce and are not there, as names: "model-00002-of-00003.safetensors".
std::vector<std::string> missing_shards(const WeightSet& set);

struct FileFault {
  std::string path;
  std::string reason;
  bool damaged = false;  ///< the bytes are at hand and wrong; else they are not at hand
};
/// The tensors of a set of safetensors files, from their headers. `faults` is empty where the table is whole; the tables of
/// other formats are empty with a fault for each file.
struct StoredTensors {
  TensorTable table;
  std::vector<FileFault> faults;
};
StoredTensors read_tensors(const Snapshot& snapshot, const WeightSet& set);

}  // namespace modelwatch::advisories
