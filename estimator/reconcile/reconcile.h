#pragma once
#include <optional>
#include <string>
#include <vector>

#include "estimator/graph/model.h"
#include "estimator/reconcile/stored_tensor.h"

namespace modelwatch::estimator {

/// One reason why a checkpoint has other scalars than the model has parameters. `scalars` is what it adds to
/// derived − checkpoint: negative for what the file has beyond the parameters, positive for what it lacks or packs.
struct Explanation {
  std::string cls;  ///< "scales", "packing", "buffers", "tied-head", "mtp", "head-dropped", "missing", "extra", …
  std::int64_t tensors = 0;
  std::int64_t scalars = 0;
  std::string text;
};

/// Tensors that are on one side only, by a name whose indices are written "*".
struct Leftover {
  std::string pattern;
  std::int64_t tensors = 0;
  std::int64_t scalars = 0;
};

/// derived − checkpoint, taken apart. Invariant: the explanations and `unexplained` sum to `delta` to the last scalar.
struct Reconciliation {
  std::int64_t checkpoint = 0;  ///< scalars in the file, or the Hub's total
  std::string source;           ///< "headers" or "hub"
  std::int64_t stored_bytes = 0;
  std::int64_t matched = 0;     ///< tensors that are on both sides
  std::int64_t delta = 0;
  std::vector<Explanation> explained;
  std::int64_t unexplained = 0;
  std::vector<Leftover> only_stored;   ///< stored and without a reason
  std::vector<Leftover> only_derived;  ///< derived and absent from the file
  bool guess = false;                  ///< only a total was given: the class is what would fit, not what was seen
};

/// Matches a tensor table with the model's tensors: by name, under the renamings that checkpoints know (a prefix more or
/// less, experts apart or fused, layouts of quantised weights). Pure; linear in both tables.
Reconciliation reconcile(const Model& model, const std::vector<StoredTensor>& stored);
/// From the Hub's safetensors.total alone: which classes of a checkpoint would make up the difference exactly.
Reconciliation explain_total(const Model& model, std::int64_t total);

}  // namespace modelwatch::estimator
