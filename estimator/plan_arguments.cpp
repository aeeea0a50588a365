#include "estimator/plan_arguments.h"

#include <algorithm>
#include <charconv>

namespace modelwatch::estimator {
namespace {

Result<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return fail(ErrorKind::usage, "not an integer: " + std::string(text));
  return value;
}

template <std::int64_t PlanOptions::*member>
Result<void> set_integer(PlanOptions& options, std::string_view text) {
  auto value = integer(text);
  if (!value) return tl::unexpected(value.error());
  options.*member = *value;
  return {};
}

template <std::optional<std::int64_t> PlanOptions::*member>
Result<void> set_length(PlanOptions& options, std::string_view text) {
  auto value = integer(text);
  if (!value) return tl::unexpected(value.error());
  options.*member = *value;
  return {};
}

template <bool PlanOptions::*member>
Result<void> set_switch(PlanOptions& options, std::string_view) {
  options.*member = true;
  return {};
}

template <auto member, auto parse>
Result<void> set_parsed(PlanOptions& options, std::string_view text) {
  auto value = parse(text);
  if (!value) return tl::unexpected(value.error());
  options.*member = *value;
  return {};
}

Result<void> add_card(PlanOptions& options, std::string_view text) {
  auto card = card_of(text);
  if (!card) return tl::unexpected(card.error());
  options.cards.push_back(std::move(*card));
  return {};
}

Result<void> set_priced_card(PlanOptions& options, std::string_view text) {
  options.priced_card = text;
  return {};
}

constexpr PlanOptionRow kRows[] = {
    {"--batch", "N", "Sequences a training step (1)", set_integer<&PlanOptions::batch>},
    {"--tokens", "N", "Tokens a training sequence (2048)", set_length<&PlanOptions::tokens>},
    {"--serve-tokens", "N", "Tokens a served sequence (4096)", set_length<&PlanOptions::serve_tokens>},
    {"--rank", "N", "Rank of LoRA adapters (16)", set_integer<&PlanOptions::rank>},
    {"--optimizer", "NAME", "adamw-fused, adamw-foreach, adamw, adamw-8bit or adafactor",
     set_parsed<&PlanOptions::optimizer, optimizer_of>},
    {"--precision", "NAME", "bf16-autocast, bf16 or fp32", set_parsed<&PlanOptions::precision, precision_of>},
    {"--checkpointing", "", "Recompute activations in backward", set_switch<&PlanOptions::checkpointing>},
    {"--qlora", "", "Frozen base in nf4", set_switch<&PlanOptions::qlora>},
    {"--fused-loss", "", "Cross entropy that keeps no logits", set_switch<&PlanOptions::fused_loss>},
    {"--adapt-experts", "", "LoRA on routed experts too", set_switch<&PlanOptions::adapt_experts>},
    {"--shards", "N", "GPUs that share the training state (1)", set_integer<&PlanOptions::shards>},
    {"--stage", "1|2|3", "ZeRO / FSDP stage where shards > 1 (3)", set_integer<&PlanOptions::stage>},
    {"--card", "NAME=GB", "A card beside the known ones; may be repeated", add_card},
    {"--hub-total", "N", "The Hub's count of scalars, to be explained", set_length<&PlanOptions::hub_total>},
    {"--tensors", "", "List every tensor", set_switch<&PlanOptions::list_tensors>},
    {"--epochs", "N", "Epochs of the priced run (10)", set_integer<&PlanOptions::epochs>},
    {"--samples", "N", "Samples of the priced run (50000)", set_integer<&PlanOptions::samples>},
    {"--cost-batch", "N", "Batch of the priced run (32)", set_integer<&PlanOptions::cost_batch>},
    {"--priced-card", "NAME", "Card of the priced run", set_priced_card},
};

}  // namespace

std::span<const PlanOptionRow> plan_option_rows() { return kRows; }

Result<PlanRequest> parse_plan_arguments(std::span<const std::string> arguments) {
  PlanRequest request;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& name = arguments[i];
    if (name == "--json") {
      request.json = true;
    } else if (name == "--headers") {
      while (i + 1 < arguments.size() && !arguments[i + 1].starts_with("--")) request.headers.push_back(arguments[++i]);
    } else if (!name.starts_with("--")) {
      request.source = name;
    } else {
      const auto row = std::ranges::find(kRows, name, &PlanOptionRow::name);
      if (row == std::end(kRows)) return fail(ErrorKind::usage, "no such option: " + name);
      if (!row->value.empty() && i + 1 == arguments.size()) return fail(ErrorKind::usage, name + ": needs " + std::string(row->value));
      auto set = row->set(request.options, row->value.empty() ? std::string_view() : std::string_view(arguments[++i]));
      if (!set) return tl::unexpected(set.error());
    }
  }
  if (request.source.empty()) return fail(ErrorKind::usage, "plan: no SOURCE");
  return request;
}

}  // namespace modelwatch::estimator
