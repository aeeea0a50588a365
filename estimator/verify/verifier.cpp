#include "estimator/verify/verifier.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "estimator/graph/forward.h"
#include "estimator/memory/serving.h"
#include "estimator/units.h"
#include "estimator/verify/inspection.h"

namespace modelwatch::estimator {
namespace {

constexpr std::size_t kDeep = 8;
constexpr std::int64_t kLongContext = 32'768;
constexpr double kCacheBudget = 80e9, kHugeLinear = 1e9, kLargeActivation = 1e9;

std::string printed(const char* format, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

std::vector<std::string> names_where(const Inspection& in, bool (*test)(const Row&)) {
  std::vector<std::string> names;
  for (const Row& row : in.rows)
    if (test(row)) names.push_back(row.name);
  return names;
}

bool is_attention(const Row& row) { return row.node && row.node->kind == NodeKind::attention && (row.part == Part::text || row.part == Part::mtp); }

void gqa_head_mismatch(const Inspection& in, std::vector<Finding>& out) {
  if (const auto fault = forward_fault(in.model))
    out.push_back({Severity::block, "gqa-head-mismatch", {fault->substr(0, fault->find(':'))}, *fault + ".",
                   "Choose heads, key-value heads and widths that divide."});
}

void no_input(const Inspection& in, std::vector<Finding>& out) {
  const bool embedded = std::any_of(in.rows.begin(), in.rows.end(), [](const Row& row) {
    return row.node && (row.node->kind == NodeKind::embedding || row.label == "Patch Embed" || row.label == "Convolution");
  });
  if (!embedded)
    out.push_back({Severity::block, "no-input", {"Input"}, "Nothing embeds the input: no node consumes it.", "Add an embedding or a patch embedding."});
}

void dead_end(const Inspection& in, std::vector<Finding>& out) {
  const bool turned = std::any_of(in.rows.begin(), in.rows.end(), [](const Row& row) { return is_attention(row) && row.node->rotary; });
  for (const Row& row : in.rows)
    if (row.node && row.node->kind == NodeKind::rope && !turned)
      out.push_back({Severity::warn, "dead-end", {row.name},
                     "\"" + row.name + "\" receives input but its output is not connected. This layer will be unreachable in the forward pass.",
                     "Connect it, or remove it."});
}

void attention_no_position(const Inspection& in, std::vector<Finding>& out) {
  const bool placed = std::any_of(in.rows.begin(), in.rows.end(), [](const Row& row) {
    return row.name.find("Position") != std::string::npos || (row.node && (row.node->rotary || row.node->kind == NodeKind::mixer));
  });
  const std::vector<std::string> attentions = names_where(in, is_attention);
  if (!attentions.empty() && !placed)
    out.push_back({Severity::warn, "attention-no-position", {attentions.front()},
                   "No table or rotation of positions reaches the attention: without linear biases on the scores the order of tokens is lost.",
                   "Check that the class adds relative biases (ALiBi, T5)."});
}

void huge_linear(const Inspection& in, std::vector<Finding>& out) {
  for (const Row& row : in.rows) {
    if (!row.node || row.part == Part::mtp) continue;
    for (const Tensor& t : row.node->tensors) {
      const double scalars = t.shape.scalars().real();
      if ((t.role != Role::linear && t.role != Role::head) || t.shape.rank() != 2 || scalars <= kHugeLinear) continue;
      out.push_back({Severity::warn, "huge-linear-params", {row.name},
                     "Linear \"" + row.name + "\" is " + std::to_string(t.shape[1].value()) + " × " + std::to_string(t.shape[0].value()) + " = " +
                         printed("%.0fM parameters", scalars / 1e6) + printed(" (~%.1f GB float32).", scalars * 4 / std::exp2(30)) +
                         " A single dense layer this large usually means a feature map was flattened without pooling first; embedding / "
                         "vocab-projection heads are the expected exception.",
                     "Nothing, where it is the output matrix of a large vocabulary."});
    }
  }
}

void kv_cache_budget(const Inspection& in, std::vector<Finding>& out) {
  if (!in.model.context) return;
  const CacheModel cache(in.model);
  const Count bytes = cache.at(Engine::transformers, in.model.context);
  if (!bytes.overflowed() && bytes.real() <= kCacheBudget) return;
  out.push_back({Severity::warn, "kv-cache-budget", {},
                 "One sequence at the declared context of " + grouped(in.model.context.value()) + " tokens needs " + bytes_text(bytes.real()) +
                     " of cache in 16 bits, more than an 80 GB card.",
                 "Serve a shorter context, quantise the cache, or shard it."});
}

void aux_loss(const Inspection& in, std::vector<Finding>& out) {
  const std::vector<std::string> names = names_where(in, [](const Row& row) { return row.node && row.node->kind == NodeKind::moe && !row.node->balanced; });
  if (names.empty()) return;
  std::string listed;
  for (const std::string& name : names) listed += (listed.empty() ? "" : ", ") + name;
  const std::string coefficient = in.model.aux_loss ? " The config declares a coefficient of " + printed("%g", *in.model.aux_loss) + "." : std::string();
  out.push_back({Severity::info, "moe-no-aux-loss", names,
                 "MoE layers require an auxiliary router z-loss + load-balance loss during training to prevent expert collapse. This is not visible in "
                 "the architecture diagram but must be in the training loop." + coefficient + " Applies to all " + std::to_string(names.size()) + ": " +
                     listed + ".",
                 "Add the balance loss of the class (output_router_logits), or a correction bias."});
}

void swiglu_convention(const Inspection& in, std::vector<Finding>& out) {
  for (const Row& row : in.rows) {
    if (!row.node || row.part != Part::text || row.node->kind != NodeKind::ffn || !row.node->inner || row.label == "MLP") continue;
    const double width = row.node->width.real(), inner = row.node->inner.real(), ratio = inner / width;
    if (ratio >= 2 && ratio <= 5) continue;
    const double expected = std::round(8.0 / 3.0 * width / 256) * 256;
    out.push_back({Severity::info, "swiglu-dim-convention", {row.name},
                   "LLaMA uses intermediateSize ≈ ⌊(8/3 × D) / 256⌋ × 256. Current: " + std::to_string(row.node->inner.value()) + " (" +
                       printed("%.2f", ratio) + "× embedDim). Expected: ~" + printed("%.0f", expected) + ".",
                   "Nothing, where the width is meant."});
    return;
  }
}

void deep_init(const Inspection& in, std::vector<Finding>& out) {
  const std::vector<std::string> names = names_where(in, is_attention);
  if (names.size() < kDeep) return;
  out.push_back({Severity::info, "deep-attention-default-init", names,
                 "At " + std::to_string(names.size()) +
                     " stacked attention layers, residual-branch outputs add up; unscaled init lets activation variance grow with depth. "
                     "GPT-2/LLaMA-family models scale the residual projections by depth (N(0, 0.02 / √(2L))).",
                 "Scale residual output projections by depth: nn.init.normal_(w, std=0.02 / math.sqrt(2 * n_layers))"});
}

void full_mha(const Inspection& in, std::vector<Finding>& out) {
  if (in.model.context < Count(kLongContext)) return;
  const std::vector<std::string> names = names_where(in, [](const Row& row) {
    return is_attention(row) && row.label == "Multi-Head Attention" && row.node->heads > Count(1) && !row.node->cache.window && row.node->cache.kv;
  });
  if (names.empty()) return;
  out.push_back({Severity::info, "full-mha", names,
                 std::to_string(names.size()) + " attention layers share no key-value heads at a context of " + grouped(in.model.context.value()) + " tokens.",
                 "Grouped key-value heads divide the cache by the size of a group."});
}

void large_activation(const Inspection& in, std::vector<Finding>& out) {
  for (const Row& row : in.rows) {
    if (!row.node || row.part != Part::text || row.node->kind == NodeKind::linear) continue;
    const double scalars = row.node->width.real() * 2048 * 2;
    if (scalars <= kLargeActivation) continue;
    out.push_back({Severity::info, "large-activation", {row.name},
                   "The output of \"" + row.name + "\" is " + bytes_text(scalars) + " a sequence of 2,048 tokens in 16 bits.", "Narrow it, or checkpoint it."});
    return;
  }
}

void no_residual(const Inspection& in, std::vector<Finding>& out) {
  std::size_t layers = 0, adds = 0;
  for (const Row& row : in.rows) {
    if (!row.node || row.part != Part::text) continue;
    layers += row.node->kind == NodeKind::attention || row.node->kind == NodeKind::ffn || row.node->kind == NodeKind::mixer;
    adds += row.node->kind == NodeKind::add;
  }
  if (layers >= kDeep && adds == 0)
    out.push_back({Severity::warn, "deep-no-residual", {}, std::to_string(layers) + " layers are stacked without a residual connection.", "Add residuals."});
}

constexpr Rule kRules[] = {
    {"no-input", Severity::block, no_input},
    {"gqa-head-mismatch", Severity::block, gqa_head_mismatch},
    {"dead-end", Severity::warn, dead_end},
    {"attention-no-position", Severity::warn, attention_no_position},
    {"huge-linear-params", Severity::warn, huge_linear},
    {"kv-cache-budget", Severity::warn, kv_cache_budget},
    {"deep-no-residual", Severity::warn, no_residual},
    {"moe-no-aux-loss", Severity::info, aux_loss},
    {"swiglu-dim-convention", Severity::info, swiglu_convention},
    {"deep-attention-default-init", Severity::info, deep_init},
    {"full-mha", Severity::info, full_mha},
    {"large-activation", Severity::info, large_activation},
};

}  // namespace

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::block: return "block";
    case Severity::warn: return "warn";
    case Severity::info: return "info";
  }
  return "";
}

std::span<const Rule> verifier_rules() { return kRules; }

std::vector<Finding> verify(const Model& model) {
  const Inspection inspection{model, structure_rows(model)};
  std::vector<Finding> findings;
  for (const Rule& rule : kRules) rule.check(inspection, findings);
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
  return findings;
}

}  // namespace modelwatch::estimator
