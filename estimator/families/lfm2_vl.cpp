#include "estimator/blocks/decoder.h"
#include "estimator/blocks/linear.h"
#include "estimator/blocks/multimodal.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// siglip2 behind a pixel unshuffle and a projector with a norm by key.
Model build(const Config& root) {
  const Config text = root.part("text_config", "lfm2");
  Model model;
  const Count width = add_vision_tower(model, root.part("vision_config", "siglip2_vision_model"), "model.vision_tower.vision_model.");
  const Count factor = root.size("downsample_factor", 2), features = width * factor * factor;
  const Count inner = root.size("projector_hidden_size", 2560);
  Node projector = two_linear_projector(features, inner, text.size("hidden_size"), root.flag("projector_bias", true));
  if (root.flag("projector_use_layernorm", true)) add_norm(projector.tensors, "layer_norm", features, NormStyle::layer);
  model.add(Part::projector, "model.multi_modal_projector.", {std::move(projector)});
  add_language_model(model, root, text, "model.language_model.");
  return model;
}

constexpr std::string_view kTypes[] = {"lfm2_vl"};

}  // namespace

extern const Family lfm2_vl_family{"lfm2_vl", kTypes, build};

}  // namespace modelwatch::estimator
