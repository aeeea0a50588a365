#include "advisories/manifest/weight_names.h"

#include <algorithm>
#include <array>

namespace modelwatch::advisories {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

struct Ending {
  std::string_view text;
  WeightFormat format;
};
constexpr std::array kEndings = {
    Ending{".safetensors", WeightFormat::safetensors}, Ending{".gguf", WeightFormat::gguf},     Ending{".ggml", WeightFormat::gguf},
    Ending{".onnx", WeightFormat::onnx},               Ending{".onnx_data", WeightFormat::onnx}, Ending{".h5", WeightFormat::tensorflow},
    Ending{".tflite", WeightFormat::tensorflow},       Ending{".msgpack", WeightFormat::flax},  Ending{".bin", WeightFormat::pickle},
    Ending{".pt", WeightFormat::pickle},               Ending{".pth", WeightFormat::pickle},    Ending{".ckpt", WeightFormat::pickle},
    Ending{".pkl", WeightFormat::pickle},              Ending{".pickle", WeightFormat::pickle}, Ending{".joblib", WeightFormat::pickle},
    Ending{".nemo", WeightFormat::pickle}};

/// A .bin that is no pickle: llama.cpp's containers before and beside .gguf, OpenVINO's and CTranslate2's raw weights.
std::optional<WeightFormat> raw_binary(std::string_view lower_name) {
  for (const std::string_view mark : {"gguf", "ggml", "ggjt", "ggcc", "ggla"})
    if (lower_name.find(mark) != std::string_view::npos) return WeightFormat::gguf;
  for (const std::string_view mark : {"openvino", "ov_model"})
    if (lower_name.find(mark) != std::string_view::npos) return WeightFormat::other;
  return std::nullopt;
}

bool all_digits(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }); }

unsigned number(std::string_view digits) {
  unsigned value = 0;
  for (const char c : digits.substr(0, 7)) value = value * 10 + static_cast<unsigned>(c - '0');
  return value;
}

/// Takes "-00001-of-00005" (or "_00001-of-00005") off the stem.
void take_shard(WeightName& name) {
  const std::size_t of = name.stem.rfind("-of-");
  if (of == std::string::npos) return;
  const std::string_view stem = name.stem, count = stem.substr(of + 4);
  const std::size_t start = stem.find_last_of("-_", of - 1);
  if (of == 0 || start == std::string_view::npos) return;
  const std::string_view shard = stem.substr(start + 1, of - start - 1);
  if (!all_digits(shard) || shard.size() < 3) return;
  if (!all_digits(count) || count.size() < 3) {
    name.stray = all_digits(count.substr(0, 3));
    return;
  }
  name.shard = number(shard);
  name.shards = number(count);
  name.stem.resize(start);
}

bool is_standard(const WeightName& name) {
  static constexpr std::array<std::string_view, 11> stems = {"model",         "pytorch_model",           "adapter_model", "diffusion_pytorch_model",
                                                             "tf_model",      "flax_model",              "open_clip_pytorch_model", "open_clip_model",
                                                             "consolidated",  "pytorch_lora_weights",    "rust_model"};
  const std::string_view stem = std::string_view(name.stem).substr(0, name.stem.find('.'));  // "model.fp16"
  if (name.stray || std::find(stems.begin(), stems.end(), stem) == stems.end()) return false;
  if (name.format == WeightFormat::safetensors) return stem != "pytorch_model" && stem != "tf_model" && stem != "flax_model" && stem != "rust_model";
  if (name.format == WeightFormat::pickle) return stem != "model" && stem != "tf_model" && stem != "flax_model";
  return true;
}

}  // namespace

std::string_view name(WeightFormat format) {
  switch (format) {
    case WeightFormat::safetensors: return "safetensors";
    case WeightFormat::pickle: return "pickle";
    case WeightFormat::gguf: return "gguf";
    case WeightFormat::onnx: return "onnx";
    case WeightFormat::tensorflow: return "tensorflow";
    case WeightFormat::flax: return "flax";
    case WeightFormat::other: break;
  }
  return "other";
}

std::string WeightName::key() const { return folder + stem + "\n" + std::string(name(format)); }

WeightName weight_name(std::string_view path) {
  WeightName found;
  const std::size_t slash = path.rfind('/') + 1;
  found.folder = path.substr(0, slash);
  std::string_view file = path.substr(slash);
  if (file.ends_with(".index.json")) {
    found.index = true;
    file.remove_suffix(11);
  }
  const std::string low = lower(file);
  found.stem = file;
  for (const Ending& ending : kEndings) {
    if (!low.ends_with(ending.text)) continue;
    found.format = ending.format;
    found.stem.resize(file.size() - ending.text.size());
    break;
  }
  if (low.ends_with(".bin"))
    if (const auto raw = raw_binary(low)) found.format = *raw;
  take_shard(found);
  for (const std::string_view mark : {"optimizer", "scheduler", "rng_state", "training_args", "scaler", "trainer_state", "zero_pp_rank", "bf16_zero"})
    found.training |= lower(found.stem).starts_with(mark);
  found.standard = !found.training && is_standard(found);
  return found;
}

}  // namespace modelwatch::advisories
