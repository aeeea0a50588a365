#include "estimator/cost/cards.h"

#include <algorithm>
#include <cmath>

#include "estimator/cost/cards_json.h"
#include "estimator/cost/split.h"
#include "estimator/json/reader.h"
#include "estimator/units.h"

namespace modelwatch::estimator {
namespace {

double number(const json::Value& row, std::string_view key) {
  const json::Value* value = row.find(key);
  return value ? value->real().value_or(0) : 0;
}

const json::Value& card_table() {
  static const json::Value table = json::read(kCardsJson)->value;
  return table;
}

std::string card_name(const json::Value& row) {
  const json::Value* name = row.find("name");
  return name && name->string() ? *name->string() : std::string();
}

/// Bytes that an estimate may have to fit a card.
double room(double gb) { return gb * 1e9 / kHeadroom; }

/// Largest batch whose every moment fits: each moment grows with the batch by a constant.
std::int64_t largest_batch(const TrainingModel& training, std::int64_t tokens, double bytes) {
  const std::vector<Count> one = training.moments(1, tokens), two = training.moments(2, tokens);
  double batch = 1e9;
  for (std::size_t i = 0; i < one.size(); ++i) {
    const double slope = (two[i] - one[i]).real(), constant = one[i].real() - slope;
    if (one[i].overflowed() || two[i].overflowed() || one[i].real() > bytes) return 0;
    if (slope > 0) batch = std::min(batch, std::floor((bytes - constant) / slope));
  }
  return static_cast<std::int64_t>(batch);
}

std::int64_t largest_serving(const Serving& s, double bytes) {
  const double sequence = (s.kv[0] + s.state[0]).real(), left = bytes - s.weights.real();
  if (left < sequence || sequence < 0) return 0;
  return sequence > 0 ? static_cast<std::int64_t>(std::min(left / sequence, 1e9)) : 1'000'000'000;
}

std::int64_t longest_context(const CacheModel& cache, Count weights, double bytes) {
  const auto fits = [&](std::int64_t tokens) {
    const Count total = weights + cache.state(Engine::transformers) + cache.at(Engine::transformers, tokens);
    return !total.overflowed() && total.real() <= bytes;
  };
  if (!fits(1)) return 0;
  std::int64_t low = 1, high = std::int64_t{1} << 40;
  while (low + 1 < high) {
    const std::int64_t middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

std::int64_t shards(double bytes, double gb) { return static_cast<std::int64_t>(std::ceil(bytes * kHeadroom / (gb * 1e9))); }

/// "fits one L4 24 GB", "borderline on one T4 16 GB", "at least 12 x H200 sharded"
std::string verdict(const std::vector<CardFit>& cards, double bytes, bool lora) {
  for (const CardFit& fit : cards)
    if ((lora ? fit.lora : fit.full) > 0)
      return ((lora ? fit.lora_borderline : fit.full_borderline) ? "borderline on one " : "fits one ") + fit.card.name;
  return "at least " + std::to_string(shards(bytes, 141)) + " x H200 sharded";
}

}  // namespace

const std::vector<Card>& known_cards() {
  static const std::vector<Card> cards = [] {
    std::vector<Card> list;
    for (const json::Value& row : *card_table().array())
      if (!row.find("priced")) list.push_back({card_name(row), number(row, "gb")});
    return list;
  }();
  return cards;
}

const std::vector<PricedCard>& priced_cards() {
  static const std::vector<PricedCard> cards = [] {
    std::vector<PricedCard> list;
    for (const json::Value& row : *card_table().array())
      if (row.find("priced"))
        list.push_back({card_name(row), number(row, "gb"), number(row, "tflops"), number(row, "gb_per_s"), number(row, "usd_per_hour")});
    return list;
  }();
  return cards;
}

Fits judge_cards(const Model& model, const Parameters& parameters, const PlanOptions& options, std::int64_t tokens,
                 std::int64_t serve_tokens, const std::string& name) {
  const TrainingModel full(model, parameters, options, Method::full), lora(model, parameters, options, Method::lora);
  const double full_peak = full.at(1, tokens).peak().real(), lora_peak = lora.at(1, tokens).peak().real();
  const Serving serve = serving(model, parameters, serve_tokens);
  const CacheModel cache(model);
  Fits fits;
  std::vector<Card> cards = known_cards();
  cards.insert(cards.end(), options.cards.begin(), options.cards.end());
  std::stable_sort(cards.begin(), cards.end(), [](const Card& a, const Card& b) { return a.gb < b.gb; });
  for (const Card& card : cards) {
    CardFit fit;
    fit.card = card;
    const double bytes = room(card.gb);
    fit.full = largest_batch(full, tokens, bytes);
    fit.lora = largest_batch(lora, tokens, bytes);
    fit.serve = largest_serving(serve, bytes);
    fit.full_borderline = fit.full > 0 && full_peak * kBorderline > card.gb * 1e9;
    fit.lora_borderline = fit.lora > 0 && lora_peak * kBorderline > card.gb * 1e9;
    if (fit.full == 0) fit.two_cards = two_card_split(model, options, tokens, bytes);
    fit.longest_context = longest_context(cache, serve.weights, bytes);
    fits.cards.push_back(std::move(fit));
  }
  const double serve_total = (serve.weights + serve.kv[0] + serve.state[0]).real();
  for (const auto& [label, gb] : {std::pair("H200 141 GB", 141.0), std::pair("80 GB", 80.0)})
    fits.sharded.push_back({label, shards(full_peak, gb), shards(lora_peak, gb), shards(serve_total, gb)});
  fits.headline = "Fine-tuning " + name + " at batch 1 and " + std::to_string(tokens) + " tokens takes about " + bytes_text(full_peak) +
                  " of GPU memory for a full fine-tune (" + verdict(fits.cards, full_peak, false) + "), and " + bytes_text(lora_peak) +
                  " with LoRA r=" + std::to_string(options.rank) + " on a bf16 base (" + verdict(fits.cards, lora_peak, true) + ").";
  return fits;
}

}  // namespace modelwatch::estimator
