#include "estimator/blocks/decoder.h"
#include "estimator/blocks/multimodal.h"
#include "estimator/blocks/vision.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// An image tower with a patch merger before a qwen. Flat files of the first two types keep the text keys at the root.
Model build(const Config& root) {
  const bool third = root.type().starts_with("qwen3");
  Model model;
  QwenVision style;
  style.position_table = third;
  style.gated = root.type() == "qwen2_5_vl";
  if (third) style.up = "linear_fc1", style.down = "linear_fc2";
  add_qwen_vision(model, third ? "model.visual." : "visual.", root.part("vision_config"), style);
  add_language_model(model, root, root.text(), third ? "model.language_model." : "model.");
  return model;
}

constexpr std::string_view kTypes[] = {"qwen2_vl", "qwen2_5_vl", "qwen3_vl", "qwen3_vl_moe"};

}  // namespace

extern const Family qwen_vl_family{"qwen_vl", kTypes, build};

}  // namespace modelwatch::estimator
