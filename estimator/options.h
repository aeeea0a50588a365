#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "estimator/error.h"

namespace modelwatch::estimator {

enum class Optimizer { adamw_fused, adamw_foreach, adamw, adamw_8bit, adafactor };
enum class Precision {
  bf16_autocast,  ///< fp32 weights, bf16 matrix products
  bf16,           ///< everything bf16
  fp32,
};

/// Memory of one GPU. GB = 1e9 bytes, as makers count.
struct Card {
  std::string name;
  double gb = 0;
};

/// What a plan assumes where the config says nothing. Defaults are those of docs/json.md, each recorded in `assumptions`.
struct PlanOptions {
  std::string source = "config.json";  ///< how the model is called in the plan
  std::int64_t batch = 1;              ///< sequences a step
  /// A sequence, in training and in serving. Where nobody asks for a length: 2,048 and 4,096, or the model's context
  /// where that is shorter. A length that is asked for is never clamped.
  std::optional<std::int64_t> tokens;
  std::optional<std::int64_t> serve_tokens;
  std::int64_t rank = 16;              ///< of LoRA adapters
  Optimizer optimizer = Optimizer::adamw_fused;
  Precision precision = Precision::bf16_autocast;
  bool checkpointing = false;  ///< activations recomputed in backward
  bool qlora = false;          ///< frozen base in nf4
  bool fused_loss = false;     ///< cross entropy that keeps no logits
  bool adapt_experts = false;  ///< LoRA on routed experts too
  std::int64_t shards = 1;     ///< GPUs that share the state
  std::int64_t stage = 3;      ///< ZeRO / FSDP stage where shards > 1
  std::vector<Card> cards;     ///< beside the known ones
  std::optional<std::int64_t> hub_total;  ///< safetensors.total of the Hub
  bool list_tensors = false;
  std::int64_t epochs = 10;
  std::int64_t samples = 50'000;
  std::int64_t cost_batch = 32;
  std::string priced_card;  ///< "" = the first of the price list
};

std::string_view optimizer_name(Optimizer optimizer);
std::string_view precision_name(Precision precision);
Result<Optimizer> optimizer_of(std::string_view name);
Result<Precision> precision_of(std::string_view name);
/// "NAME=GB"
Result<Card> card_of(std::string_view text);
/// Sizes that make no sense (no tokens, a stage beyond 3) are errors that name the option.
Result<void> check(const PlanOptions& options);

}  // namespace modelwatch::estimator
