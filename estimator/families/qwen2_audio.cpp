#include "estimator/blocks/decoder.h"
#include "estimator/blocks/linear.h"
#include "estimator/blocks/multimodal.h"
#include "estimator/blocks/seq2seq.h"
#include "estimator/blocks/vision.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// whisper's encoder (its keys without bias) with an average pooling, one matrix to the language model.
Model build(const Config& root) {
  Model model;
  const Config audio = root.part("audio_config", "qwen2_audio_encoder"), text = root.part("text_config", "qwen2");
  const std::string prefix = "audio_tower.";
  const Count width = audio.size("d_model");
  std::vector<Tensor> stem;
  add_tensor(stem, "conv1.weight", {width, audio.size("num_mel_bins"), 3});
  add_tensor(stem, "conv1.bias", {width}, Role::bias);
  add_tensor(stem, "conv2.weight", {width, width, 3});
  add_tensor(stem, "conv2.bias", {width}, Role::bias);
  add_tensor(stem, "embed_positions.weight", {audio.size("max_source_positions"), width}, Role::embedding);
  const Bart style{.before = true, .embedding_norm = false, .k_bias = false};
  const std::size_t first = model.sections.size();
  add_bart_stack(model, audio, prefix, false, style, {vision_node("Audio_Convolutions", "Convolution", width, std::move(stem))});
  model.add(Part::audio, prefix, {norm_node("Audio_Norm", "layer_norm", width, NormStyle::layer, Stream::residual, 1)});
  for (std::size_t i = first; i < model.sections.size(); ++i) model.sections[i].part = Part::audio;
  model.add(Part::projector, "multi_modal_projector.", {linear_node("Projector", "linear", width, text.size("hidden_size"), true)});
  add_language_model(model, root, text, "language_model.model.", "language_model.lm_head");
  return model;
}

constexpr std::string_view kTypes[] = {"qwen2_audio"};

}  // namespace

extern const Family qwen2_audio_family{"qwen2_audio", kTypes, build};

}  // namespace modelwatch::estimator
