#include <bit>

#include "estimator/graph/parameters.h"
#include "estimator/reconcile/reconcile.h"

namespace modelwatch::estimator {
namespace {

struct Candidate {
  const char* cls;
  std::int64_t scalars;  ///< what it adds to derived − checkpoint
  const char* text;
};

std::vector<Candidate> candidates(const Model& model, const Parameters& p) {
  const Count table = model.vocabulary * model.hidden;
  std::int64_t layers = 0;
  for (const Section& section : model.sections)
    if (section.part == Part::text && section.indexed) layers += static_cast<std::int64_t>(section.layers.size());
  std::vector<Candidate> list;
  const auto add = [&](const char* cls, Count scalars, const char* text) {
    if (!scalars.overflowed() && scalars != Count(0)) list.push_back({cls, scalars.value(), text});
  };
  add("buffers", Count(0) - p.buffers, "persistent buffers of the class");
  add("mtp", Count(0) - p.mtp, "the declared modules for multi-token prediction");
  if (model.tied_head) add("tied-head", Count(0) - table, "the tied output matrix, stored anyway");
  if (!model.tied_head) add("head-dropped", table, "no output matrix in the file");
  add("buffers", Count(0) - model.rotary / 2 * layers, "rotary frequencies of each layer");
  if (!model.causal) add("buffers", Count(0) - model.context, "position_ids");
  return list;
}

}  // namespace

Reconciliation explain_total(const Model& model, std::int64_t total) {
  const Parameters p = count_parameters(model);
  Reconciliation r;
  r.source = "hub";
  r.checkpoint = total;
  r.guess = true;
  r.delta = r.unexplained = p.derived.value() - total;
  if (r.delta == 0) return r;
  const std::vector<Candidate> all = candidates(model, p);
  unsigned best = 0;
  for (unsigned set = 1; set < 1u << all.size(); ++set) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (set >> i & 1) sum += all[i].scalars;
    if (sum == r.delta && (best == 0 || std::popcount(set) < std::popcount(best))) best = set;
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    if (best >> i & 1) r.explained.push_back({all[i].cls, 0, all[i].scalars, all[i].text});
  if (best != 0) r.unexplained = 0;
  return r;
}

}  // namespace modelwatch::estimator
