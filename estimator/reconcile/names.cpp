#include "estimator/reconcile/names.h"

#include <cctype>
#include <utility>

namespace modelwatch::estimator {
namespace {

struct Ending {
  std::string_view stored;
  std::string_view logical;
  Companion companion;
};

// Longest endings first where one contains another.
constexpr Ending kEndings[] = {
    {".weight_scale_inv", ".weight", Companion::scale},
    {".weight_global_scale", ".weight", Companion::scale},
    {".weight_scale_2", ".weight", Companion::scale},
    {".weight_scale", ".weight", Companion::scale},
    {".input_global_scale", ".weight", Companion::scale},
    {".input_scale", ".weight", Companion::scale},
    {".output_scale", ".weight", Companion::scale},
    {".input_activation_scale", ".weight", Companion::scale},
    {"_scale_inv", "", Companion::scale},
    {"_weight_scale_2", "", Companion::scale},
    {"_weight_scale", "", Companion::scale},
    {"_input_scale", "", Companion::scale},
    {".weight_zero_point", ".weight", Companion::zero_point},
    {".weight_packed", ".weight", Companion::packed},
    {".weight_shape", ".weight", Companion::index},
    {".weight_g_idx", ".weight", Companion::index},
    {".qweight", ".weight", Companion::packed},
    {".qzeros", ".weight", Companion::zero_point},
    {".g_idx", ".weight", Companion::index},
    {".scales", ".weight", Companion::scale},
    {".SCB", ".weight", Companion::scale},
    {".weight.absmax", ".weight", Companion::scale},
    {".weight.quant_map", ".weight", Companion::scale},
    {".weight.nested_absmax", ".weight", Companion::scale},
    {".weight.nested_quant_map", ".weight", Companion::scale},
    {"_blocks", "", Companion::packed},
    {"_scales", "", Companion::scale},
    {".k_scale", ".k_scale", Companion::cache_scale},
    {".v_scale", ".v_scale", Companion::cache_scale},
    {".q_scale", ".q_scale", Companion::cache_scale},
    {".scale", ".weight", Companion::scale},
};

constexpr std::string_view kBuffers[] = {".inv_freq",       ".position_ids",  ".masked_bias", ".attn.bias", ".attention.bias",
                                         "token_type_ids",  ".relative_position_index", ".causal_mask", ".num_batches_tracked",
                                         ".original_inv_freq"};

/// Beginnings that one writer has and another has not, or writes differently.
constexpr std::pair<std::string_view, std::string_view> kBeginnings[] = {
    {"", "model."},
    {"model.", ""},
    {"model.language_model.", "language_model.model."},
    {"language_model.model.", "model.language_model."},
    {"model.language_model.", "model."},
    {"model.", "model.language_model."},
    {"language_model.lm_head.", "lm_head."},
    {"lm_head.", "language_model.lm_head."},
    {"model.visual.", "visual."},
    {"visual.", "model.visual."},
    {"model.vision_tower.", "vision_tower.vision_model."},
    {"vision_tower.vision_model.", "model.vision_tower."},
    {"model.vision_tower.", "model.vision_tower.vision_model."},
    {"model.multi_modal_projector.", "multi_modal_projector."},
    {"multi_modal_projector.", "model.multi_modal_projector."},
    {"", "transformer."},
    {"transformer.", ""},
    {"", "bert."},
    {"bert.", ""},
    {"", "roberta."},
    {"roberta.", ""},
    {"0.auto_model.", ""},
    {"module.", ""},
    {"encoder.", "bert.encoder."},
};

constexpr std::pair<std::string_view, std::string_view> kSpellings[] = {
    {"LayerNorm.gamma", "LayerNorm.weight"},
    {"LayerNorm.beta", "LayerNorm.bias"},
    {".mlp.gate.e_score_correction_bias", ".block_sparse_moe.e_score_correction_bias"},
};

}  // namespace

StoredName read_stored_name(std::string_view name) {
  if (const std::size_t state = name.find(".weight.quant_state."); state != std::string_view::npos)
    return {std::string(name.substr(0, state)) + ".weight", Companion::scale};
  for (const Ending& e : kEndings)
    if (name.size() > e.stored.size() && name.ends_with(e.stored))
      return {std::string(name.substr(0, name.size() - e.stored.size())) + std::string(e.logical), e.companion};
  return {std::string(name), Companion::none};
}

bool is_stored_buffer(std::string_view name) {
  for (const std::string_view end : kBuffers)
    if (name.ends_with(end)) return true;
  return false;
}

std::vector<std::string> aliases(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& [from, to] : kBeginnings)
    if (name.starts_with(from)) names.push_back(std::string(to) + std::string(name.substr(from.size())));
  for (const auto& [from, to] : kSpellings)
    if (const std::size_t at = name.find(from); at != std::string_view::npos)
      names.push_back(std::string(name.substr(0, at)) + std::string(to) + std::string(name.substr(at + from.size())));
  return names;
}

std::string star_indices(std::string_view name) {
  std::string out;
  std::size_t i = 0;
  while (i < name.size()) {
    std::size_t end = name.find('.', i);
    if (end == std::string_view::npos) end = name.size();
    bool digits = end > i;
    for (std::size_t k = i; k < end; ++k) digits = digits && std::isdigit(static_cast<unsigned char>(name[k])) != 0;
    out += digits ? std::string_view("*") : name.substr(i, end - i);
    if (end < name.size()) out += '.';
    i = end + 1;
  }
  return out;
}

std::string expert_group(std::string_view name) {
  for (const std::string_view word : {".experts."})
    if (const std::size_t at = name.find(word); at != std::string_view::npos) return std::string(name.substr(0, at + word.size() - 1));
  return {};
}

}  // namespace modelwatch::estimator
