#include "estimator/cost/split.h"

#include <algorithm>

#include "estimator/graph/rows.h"

namespace modelwatch::estimator {
namespace {

struct Load {
  double parameters = 0, casts = 0, saved = 0;

  /// The larger of the two moments that decide: the step, and the end of forward.
  double peak(double tokens, double loss) const { return std::max(16 * parameters, 12 * parameters + casts + saved * tokens + loss); }
};

Load load_of(const Row& row) {
  Load load;
  if (!row.node || row.part == Part::mtp) return load;
  for (const Tensor& tensor : row.node->tensors) {
    load.parameters += tensor.scalars().real();
    if (tensor.role == Role::linear || tensor.role == Role::head || tensor.role == Role::router) load.casts += 2 * tensor.scalars().real();
  }
  if (row.part == Part::text || row.part == Part::encoder) load.saved = row.node->saved.autocast.real();
  return load;
}

}  // namespace

std::optional<std::pair<std::int64_t, std::int64_t>> two_card_split(const Model& model, const PlanOptions& options, std::int64_t tokens,
                                                                    double bytes) {
  if (options.precision != Precision::bf16_autocast || options.optimizer != Optimizer::adamw_fused) return std::nullopt;
  std::vector<Load> loads;
  Load all;
  for (const Row& row : structure_rows(model)) {
    if (row.label == "Input" || row.label == "Output") continue;
    const Load load = loads.emplace_back(load_of(row));
    all.parameters += load.parameters, all.casts += load.casts, all.saved += load.saved;
  }
  if (32 * all.parameters / 2 > 2 * bytes) return std::nullopt;
  const double n = static_cast<double>(tokens), loss = 14 * model.vocabulary.real() * n;
  Load second;
  for (std::size_t cut = loads.size(); cut-- > 1;) {
    second.parameters += loads[cut].parameters, second.casts += loads[cut].casts, second.saved += loads[cut].saved;
    const Load first{all.parameters - second.parameters, all.casts - second.casts, all.saved - second.saved};
    if (second.peak(n, loss) > bytes) return std::nullopt;
    if (first.peak(n, 0) <= bytes) return std::pair(static_cast<std::int64_t>(cut), static_cast<std::int64_t>(loads.size() - cut));
  }
  return std::nullopt;
}

}  // namespace modelwatch::estimator
