#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "advisories/diff/counted.h"
#include "advisories/manifest/weights.h"
#include "estimator/json/value.h"

namespace modelwatch::advisories {

struct DtypeTotal {
  std::uint64_t tensors = 0, elements = 0, bytes = 0;
};
using DtypeTotals = std::map<std::string, DtypeTotal, std::less<>>;
DtypeTotals totals(const TensorTable& table);
json::Object to_json(const DtypeTotals& totals);

/// The difference of two tensor tables, by name. Linear in the tensors.
struct TensorChanges {
  std::size_t same = 0;     ///< equal name, dtype, shape and bytes
  Counted added, removed;   ///< "name BF16 [768, 2048]"
  Counted renamed;          ///< "before → after"
  Counted retyped;          ///< "name BF16 → F8_E4M3"
  Counted reshaped;         ///< "name [768, 2048] → [1024, 2048]"
  Counted moved;            ///< same tensor in a file of another name

  bool equal_tables() const { return added.count + removed.count + renamed.count + retyped.count + reshaped.count == 0; }
};

/// Tensors that are gone and tensors that are new are renamed ones where a rule explains it: all of them pair up by dtype
/// and shape, or one prefix was put before or taken from the names.
TensorChanges compare(const TensorTable& before, const WeightSet& files_before, const TensorTable& after, const WeightSet& files_after);

}  // namespace modelwatch::advisories
