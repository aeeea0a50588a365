#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace modelwatch::advisories {

enum class WeightFormat {
  safetensors,
  pickle,      ///< pytorch_model.bin, .pt, .pth, .ckpt, .pkl: loading one can run code
  gguf,        ///< GGUF, GGML and its kin, also under the ending .bin
  onnx,
  tensorflow,  ///< .h5, .tflite
  flax,        ///< .msgpack
  other,       ///< arrays, engines, archives
};
std::string_view name(WeightFormat format);

/// What the name of a weight file says.
struct WeightName {
  WeightFormat format = WeightFormat::other;
  std::string folder;    ///< "" or ending in '/'
  std::string stem;      ///< without shard numbers and ending: "model", "adapter_model", "Qwen3-8B-Q4_K_M"
  unsigned shard = 0;    ///< of "-00002-of-00005"; 0: the file is no shard
  unsigned shards = 0;
  bool index = false;    ///< "model.safetensors.index.json"
  bool stray = false;    ///< numbered like a shard, but not as loaders expect it
  /// A name by which a loader (transformers, diffusers, PEFT, sentence-transformers) finds weights without being told.
  bool standard = false;
  /// Training state: optimizer.pt, rng_state.pth, scheduler.pt, training_args.bin.
  bool training = false;

  /// Files with equal keys make one set.
  std::string key() const;
};

WeightName weight_name(std::string_view path);

}  // namespace modelwatch::advisories
