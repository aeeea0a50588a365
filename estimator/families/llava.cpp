#include "estimator/blocks/decoder.h"
#include "estimator/blocks/linear.h"
#include "estimator/blocks/multimodal.h"
#include "estimator/blocks/vision.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// What the class fills in where there is no vision_config: CLIP-L at 336 pixels.
const json::Value kTower = json::Object{{"model_type", "clip_vision_model"}, {"hidden_size", 1024},     {"image_size", 336},
                                        {"intermediate_size", 4096},         {"num_attention_heads", 16}, {"num_hidden_layers", 24},
                                        {"patch_size", 14}};

/// A projector of two matrices between an image tower and any language model. llava_next marks line ends with a vector.
Model build(const Config& root) {
  const Config text = root.has("text_config") ? root.part("text_config", "llama") : root.as("llama");
  const Config vision = root.part("vision_config", "clip_vision_model", kTower);
  Model model;
  const Count width = add_vision_tower(model, vision, "vision_tower.vision_model.");
  const Count hidden = text.size("hidden_size");
  const std::vector<Count> layers = root.raw("vision_feature_layer") && root.raw("vision_feature_layer")->array()
                                        ? std::vector<Count>(root.raw("vision_feature_layer")->array()->size())
                                        : std::vector<Count>(1);
  const Count features = width * static_cast<std::int64_t>(layers.size());
  model.add(Part::projector, "multi_modal_projector.",
            {two_linear_projector(features, hidden, hidden, root.flag("multimodal_projector_bias", true))});
  if (root.type() == "llava_next") {
    std::vector<Tensor> newline;
    add_tensor(newline, "image_newline", {hidden});
    model.add(Part::projector, "", {vision_node("Image_Newline", "Vector", hidden, std::move(newline))});
  }
  add_language_model(model, root, text, "language_model.model.", "language_model.lm_head");
  return model;
}

constexpr std::string_view kTypes[] = {"llava", "llava_next", "vipllava"};

}  // namespace

extern const Family llava_family{"llava", kTypes, build};

}  // namespace modelwatch::estimator
