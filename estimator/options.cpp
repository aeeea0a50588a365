#include "estimator/options.h"

#include <charconv>
#include <utility>

namespace modelwatch::estimator {
namespace {

template <class T>
using Names = std::pair<std::string_view, T>;

constexpr Names<Optimizer> kOptimizers[] = {{"adamw-fused", Optimizer::adamw_fused},
                                            {"adamw-foreach", Optimizer::adamw_foreach},
                                            {"adamw", Optimizer::adamw},
                                            {"adamw-8bit", Optimizer::adamw_8bit},
                                            {"adafactor", Optimizer::adafactor}};
constexpr Names<Precision> kPrecisions[] = {
    {"bf16-autocast", Precision::bf16_autocast}, {"bf16", Precision::bf16}, {"fp32", Precision::fp32}};

template <class T, std::size_t N>
std::string_view name_of(const Names<T> (&names)[N], T value) {
  for (const auto& [name, v] : names)
    if (v == value) return name;
  return "";
}

template <class T, std::size_t N>
Result<T> value_of(const Names<T> (&names)[N], std::string_view option, std::string_view text) {
  std::string known;
  for (const auto& [name, value] : names) {
    if (name == text) return value;
    known += known.empty() ? "" : ", ";
    known += name;
  }
  return fail(ErrorKind::usage, std::string(option) + ": no such value: " + std::string(text), "one of " + known);
}

}  // namespace

std::string_view optimizer_name(Optimizer optimizer) { return name_of(kOptimizers, optimizer); }
std::string_view precision_name(Precision precision) { return name_of(kPrecisions, precision); }
Result<Optimizer> optimizer_of(std::string_view name) { return value_of(kOptimizers, "--optimizer", name); }
Result<Precision> precision_of(std::string_view name) { return value_of(kPrecisions, "--precision", name); }

Result<Card> card_of(std::string_view text) {
  const std::size_t at = text.rfind('=');
  Card card;
  if (at != std::string_view::npos && at > 0) {
    card.name = text.substr(0, at);
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + at + 1, end, card.gb);
    if (error == std::errc() && stop == end && card.gb > 0 && card.gb < 1e6) return card;
  }
  return fail(ErrorKind::usage, "--card: not a name and its memory in GB: " + std::string(text), "--card \"RTX 4090=24\"");
}

Result<void> check(const PlanOptions& o) {
  const std::pair<std::string_view, std::int64_t> positive[] = {
      {"--batch", o.batch}, {"--tokens", o.tokens.value_or(1)}, {"--serve-tokens", o.serve_tokens.value_or(1)}, {"--rank", o.rank},
      {"--shards", o.shards}, {"--stage", o.stage}, {"--epochs", o.epochs}, {"--samples", o.samples},
      {"--cost-batch", o.cost_batch}};
  for (const auto& [name, value] : positive)
    if (value < 1) return fail(ErrorKind::usage, std::string(name) + ": must be at least 1, is " + std::to_string(value));
  if (o.stage > 3) return fail(ErrorKind::usage, "--stage: must be 1, 2 or 3, is " + std::to_string(o.stage));
  return {};
}

}  // namespace modelwatch::estimator
