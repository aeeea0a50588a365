#include "estimator/blocks/decoder.h"
#include "estimator/blocks/linear.h"
#include "estimator/blocks/multimodal.h"
#include "estimator/blocks/vision.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// InternViT behind a pixel shuffle and a projector with a norm, before any language model.
Model build(const Config& root) {
  const Config text = root.part("text_config", "qwen2");
  Model model;
  const Count width = add_vision_tower(model, root.part("vision_config"), "model.vision_tower.");
  const double ratio = root.real("downsample_ratio", 0.5);
  const Count features = static_cast<std::int64_t>(ratio > 0 ? width.real() / (ratio * ratio) : width.real());
  const Count hidden = text.size("hidden_size");
  Node projector = two_linear_projector(features, hidden, hidden, true);
  add_norm(projector.tensors, "layer_norm", features, NormStyle::layer);
  model.add(Part::projector, "model.multi_modal_projector.", {std::move(projector)});
  add_language_model(model, root, text, "model.language_model.");
  return model;
}

constexpr std::string_view kTypes[] = {"internvl"};

}  // namespace

extern const Family internvl_family{"internvl", kTypes, build};

}  // namespace modelwatch::estimator
