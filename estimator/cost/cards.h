#pragma once
#include <optional>
#include <string>
#include <vector>

#include "estimator/memory/serving.h"
#include "estimator/memory/training.h"
#include "estimator/options.h"

namespace modelwatch::estimator {

/// A card whose hours have a price (cost/cards.json): peak bf16 throughput, memory bandwidth, dollars an hour.
struct PricedCard {
  std::string name;
  double gb = 0, tflops = 0, gb_per_s = 0, usd_per_hour = 0;
};
const std::vector<Card>& known_cards();
const std::vector<PricedCard>& priced_cards();

/// Factors of the seed, which the accuracy page judges.
inline constexpr double kHeadroom = 1.15;    ///< an estimate fits where headroom × estimate ≤ card
inline constexpr double kBorderline = 1.43;  ///< beyond it a fit is borderline

/// What one card holds. Batches of 0 do not fit.
struct CardFit {
  Card card;
  std::int64_t full = 0, lora = 0, serve = 0;                   ///< largest batch
  bool full_borderline = false, lora_borderline = false;
  std::optional<std::pair<std::int64_t, std::int64_t>> two_cards;  ///< rows of the table on each of two, full fine-tune at batch 1
  std::int64_t longest_context = 0;                             ///< tokens of one served sequence
};

/// How many cards at least, by memory alone, if the load split evenly: ceil(total × headroom / card).
struct Sharded {
  std::string card;
  std::int64_t full = 0, lora = 0, serve = 0;
};

struct Fits {
  std::vector<CardFit> cards;
  std::vector<Sharded> sharded;  ///< "H200 141 GB" and "80 GB"
  std::string headline;
};
Fits judge_cards(const Model& model, const Parameters& parameters, const PlanOptions& options, std::int64_t tokens,
                 std::int64_t serve_tokens, const std::string& name);

}  // namespace modelwatch::estimator
