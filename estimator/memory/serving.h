#pragma once
#include <array>
#include <optional>

#include "estimator/graph/model.h"
#include "estimator/graph/parameters.h"

namespace modelwatch::estimator {

/// Engines keep keys, values and states differently (docs/estimator.md, "Serving").
enum class Engine { transformers, vllm, llama_cpp };
inline constexpr std::array kEngines = {Engine::transformers, Engine::vllm, Engine::llama_cpp};
std::string_view engine_name(Engine engine);

/// Bytes of the cache of one sequence, 16-bit keys and values.
class CacheModel {
 public:
  explicit CacheModel(const Model& model);

  Count per_token(Engine engine) const;              ///< while no window is full
  Count at(Engine engine, Count tokens) const;       ///< keys and values of a sequence of that length
  Count state(Engine engine) const;                  ///< recurrent and convolution states of a sequence
  bool has_state() const { return state_layers_ != Count(0); }

 private:
  struct Layer {
    Count kv, window, index_keys, layers;
    bool mtp;
  };
  std::vector<Layer> layers_;
  Count state_transformers_, state_llama_cpp_, state_layers_;
};

/// Memory of serving in 16-bit weights.
struct Serving {
  std::int64_t tokens = 0;
  Count weights;                      ///< logical parameters at the served precision
  std::optional<Count> weights_stored;  ///< bytes of the stored tensors, where headers are known
  std::array<Count, 3> kv_per_token;  ///< by engine
  std::array<Count, 3> kv;            ///< at `tokens`
  std::array<Count, 3> state;         ///< a sequence
};
Serving serving(const Model& model, const Parameters& parameters, std::int64_t tokens);

}  // namespace modelwatch::estimator
