#include "tests/hub/scenario/weights.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>

#include "estimator/json/writer.h"

namespace modelwatch::testhub {
namespace {

struct Decoder {
  std::string type, dtype;
  std::uint64_t layers, hidden, inner, heads, kv_heads, head_size, vocabulary;
  bool tied;
};

std::uint64_t number(const json::Value& config, const char* key) {
  const json::Value* value = config.find(key);
  const auto read = value ? value->integer() : std::nullopt;
  if (!read || *read <= 0) throw std::invalid_argument(std::string("config.json: no ") + key);
  return static_cast<std::uint64_t>(*read);
}

std::uint64_t number(const json::Value& config, const char* key, std::uint64_t standard) {
  return config.find(key) ? number(config, key) : standard;
}

std::string dtype_name(const json::Value& config) {
  for (const char* key : {"dtype", "torch_dtype"})
    if (const json::Value* value = config.find(key); value && value->string())
      return *value->string() == "float32" ? "F32" : *value->string() == "float16" ? "F16" : "BF16";
  return "F32";
}

Decoder read_decoder(const json::Value& config) {
  Decoder d{};
  if (const json::Value* type = config.find("model_type"); type && type->string()) d.type = *type->string();
  static constexpr std::array<std::string_view, 4> known = {"llama", "mistral", "qwen2", "qwen3"};
  if (std::find(known.begin(), known.end(), d.type) == known.end())
    throw std::invalid_argument("weights_for: model type '" + d.type + "'");
  d.dtype = dtype_name(config);
  d.layers = number(config, "num_hidden_layers");
  d.hidden = number(config, "hidden_size");
  d.inner = number(config, "intermediate_size");
  d.heads = number(config, "num_attention_heads");
  d.kv_heads = number(config, "num_key_value_heads", d.heads);
  d.head_size = number(config, "head_dim", d.hidden / d.heads);
  d.vocabulary = number(config, "vocab_size");
  const json::Value* tied = config.find("tie_word_embeddings");
  d.tied = tied && tied->boolean().value_or(false);
  return d;
}

class Writer {
 public:
  explicit Writer(const Decoder& decoder) : d_(decoder) {}

  std::vector<Tensor> write() {
    add("model.embed_tokens.weight", {d_.vocabulary, d_.hidden});
    for (std::uint64_t i = 0; i < d_.layers; ++i) add_layer("model.layers." + std::to_string(i) + ".");
    add("model.norm.weight", {d_.hidden});
    if (!d_.tied) add("lm_head.weight", {d_.vocabulary, d_.hidden});
    return std::move(tensors_);
  }

 private:
  void add(const std::string& name, std::vector<std::uint64_t> shape) {
    tensors_.push_back({name, d_.dtype, std::move(shape)});
  }

  void add_layer(const std::string& layer) {
    const std::uint64_t queries = d_.heads * d_.head_size;
    const std::uint64_t keys = d_.kv_heads * d_.head_size;
    add(layer + "input_layernorm.weight", {d_.hidden});
    for (const auto& [name, rows] : {std::pair{"q_proj", queries}, {"k_proj", keys}, {"v_proj", keys}}) {
      add(layer + "self_attn." + name + ".weight", {rows, d_.hidden});
      if (d_.type == "qwen2") add(layer + "self_attn." + name + ".bias", {rows});
    }
    add(layer + "self_attn.o_proj.weight", {d_.hidden, queries});
    if (d_.type == "qwen3")
      for (const char* name : {"q_norm", "k_norm"})
        add(layer + "self_attn." + name + ".weight", {d_.head_size});
    add(layer + "post_attention_layernorm.weight", {d_.hidden});
    for (const char* name : {"gate_proj", "up_proj"})
      add(layer + "mlp." + name + ".weight", {d_.inner, d_.hidden});
    add(layer + "mlp.down_proj.weight", {d_.hidden, d_.inner});
  }

  const Decoder& d_;
  std::vector<Tensor> tensors_;
};

std::uint64_t elements(const Tensor& tensor) {
  std::uint64_t count = 1;
  for (const std::uint64_t dimension : tensor.shape) count *= dimension;
  return count;
}

std::uint64_t elements(const std::vector<Tensor>& tensors) {
  std::uint64_t count = 0;
  for (const Tensor& tensor : tensors) count += elements(tensor);
  return count;
}

std::string shard_name(std::int64_t shard, std::int64_t of) {
  std::array<char, 64> name{};
  std::snprintf(name.data(), name.size(), "model-%05d-of-%05d.safetensors", static_cast<int>(shard),
                static_cast<int>(of));
  return name.data();
}

}  // namespace

std::vector<Tensor> decoder_tensors(const json::Value& config) {
  const Decoder decoder = read_decoder(config);
  return Writer(decoder).write();
}

std::vector<Tensor> shard_of(const std::vector<Tensor>& tensors, std::int64_t shard, std::int64_t of) {
  if (of < 1 || shard < 1 || shard > of)
    throw std::invalid_argument("weights_for: no shard " + std::to_string(shard) + " of " +
                                std::to_string(of));
  const std::uint64_t whole = elements(tensors);
  std::vector<Tensor> part;
  std::uint64_t before = 0;
  for (const Tensor& tensor : tensors) {
    if (static_cast<std::int64_t>(before * static_cast<std::uint64_t>(of) / whole) + 1 == shard)
      part.push_back(tensor);
    before += elements(tensor);
  }
  return part;
}

std::string shard_index(const std::vector<Tensor>& tensors, std::int64_t of) {
  json::Object map;
  for (std::int64_t shard = 1; shard <= of; ++shard)
    for (const Tensor& tensor : shard_of(tensors, shard, of)) map.append(tensor.name, shard_name(shard, of));
  const std::uint64_t bytes = elements(tensors) * (tensors.front().dtype == "F32" ? 4 : 2);
  return json::write(
             json::Object{{"metadata", json::Object{{"total_size", bytes}}}, {"weight_map", std::move(map)}},
             json::Style::pretty) +
         "\n";
}

}  // namespace modelwatch::testhub
