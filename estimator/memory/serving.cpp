#include "estimator/memory/serving.h"

namespace modelwatch::estimator {

std::string_view engine_name(Engine engine) {
  switch (engine) {
    case Engine::transformers: return "transformers";
    case Engine::vllm: return "vllm";
    case Engine::llama_cpp: return "llama.cpp";
  }
  return "";
}

CacheModel::CacheModel(const Model& model) {
  for (const Section& section : model.sections) {
    if (section.part != Part::text && !(section.part == Part::mtp && model.mtp_cached)) continue;
    for_each_node(section, [&](const Node& node, Count layers) {
      const Cache& c = node.cache;
      if (c.kv) layers_.push_back({c.kv, c.window, c.index_keys, layers, section.part == Part::mtp});
      if (!(c.state || c.conv_channels) || section.part == Part::mtp) return;
      // transformers: recurrent state fp32, convolution bf16 with K columns; llama.cpp: all fp32 with K - 1 columns.
      state_layers_ += layers;
      state_transformers_ += layers * (4 * c.state + 2 * c.conv_channels * c.conv_kernel);
      state_llama_cpp_ += layers * 4 * (c.state + c.conv_channels * (max(c.conv_kernel, 1) - 1));
    });
  }
}

Count CacheModel::per_token(Engine engine) const {
  Count bytes, largest, layers;
  for (const Layer& l : layers_) {
    if (l.mtp && engine != Engine::llama_cpp) continue;
    const Count scalars = l.kv + (engine == Engine::transformers ? l.index_keys : Count(0));
    bytes += 2 * scalars * l.layers;
    largest = max(largest, 2 * scalars);
    layers += l.layers;
  }
  // vLLM pages all layers alike: each costs what the largest one does.
  return engine == Engine::vllm ? largest * layers : bytes;
}

Count CacheModel::at(Engine engine, Count tokens) const {
  if (engine == Engine::vllm) return per_token(engine) * tokens;
  Count bytes;
  for (const Layer& l : layers_) {
    if (l.mtp && engine != Engine::llama_cpp) continue;
    const Count kept = l.window ? min(tokens, l.window) : tokens;
    bytes += 2 * l.layers * (l.kv * kept + (engine == Engine::transformers ? l.index_keys * tokens : Count(0)));
  }
  return bytes;
}

Count CacheModel::state(Engine engine) const { return engine == Engine::llama_cpp ? state_llama_cpp_ : state_transformers_; }

Serving serving(const Model& model, const Parameters& parameters, std::int64_t tokens) {
  const CacheModel cache(model);
  Serving s;
  s.tokens = tokens;
  s.weights = 2 * (parameters.derived + parameters.buffers);
  for (std::size_t i = 0; i < kEngines.size(); ++i) {
    s.kv_per_token[i] = cache.per_token(kEngines[i]);
    s.kv[i] = cache.at(kEngines[i], tokens);
    s.state[i] = cache.state(kEngines[i]);
  }
  return s;
}

}  // namespace modelwatch::estimator
