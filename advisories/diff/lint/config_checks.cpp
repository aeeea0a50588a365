#include <algorithm>
#include <array>

#include "advisories/diff/lint/revision.h"
#include "advisories/diff/rules/rope_types.h"
#include "advisories/diff/rules/rule.h"
#include "estimator/config/defaults.h"

namespace modelwatch::advisories::lint_checks {
namespace {

constexpr const char* kConfig = "config.json";

std::string number(std::int64_t value) { return std::to_string(value); }

}  // namespace

void check_shape(Revision& revision) {
  const json::Value* config = revision.config();
  if (!config) return;
  const auto hidden = integer_at(config, "hidden_size"), heads = integer_at(config, "num_attention_heads"), head = integer_at(config, "head_dim"),
             shared = integer_at(config, "num_key_value_heads"), layers = integer_at(config, "num_hidden_layers");
  const std::string type = text_at(config, "model_type");
  const bool derived = !head && !estimator::default_of(type, "head_dim") && !in_config(config, "qk_nope_head_dim");
  if (hidden && heads && *heads > 0 && derived && *hidden % *heads != 0)
    revision.report("lint.shape.heads_do_not_divide", kConfig, "hidden_size " + number(*hidden) + " is no multiple of " + number(*heads) + " attention heads, and no head_dim is given");
  if (heads && shared && *heads > 0 && (*shared <= 0 || *heads % *shared != 0))
    revision.report("lint.shape.key_value_heads", kConfig, number(*heads) + " attention heads cannot share " + number(*shared) + " key/value heads evenly");
  const json::Value* kinds = in_config(config, "layer_types");
  if (layers && kinds && kinds->array() && static_cast<std::int64_t>(kinds->array()->size()) != *layers)
    revision.report("lint.shape.layer_types", kConfig, "layer_types has " + std::to_string(kinds->array()->size()) + " entries for " + number(*layers) + " layers");
  for (const auto& [key, most] : {std::pair<const char*, std::int64_t>{"num_hidden_layers", 2000}, {"hidden_size", 1'000'000}, {"vocab_size", 20'000'000}, {"intermediate_size", 10'000'000}})
    if (const auto size = integer_at(config, key); size && (*size > most || *size < 0))
      revision.report("lint.shape.absurd", kConfig, std::string(key) + " " + number(*size) + " is beyond any model that exists");
  const auto used = integer_at(config, "num_experts_per_tok");
  for (const char* key : {"num_experts", "num_local_experts", "n_routed_experts"})
    if (const auto experts = integer_at(config, key); experts && used && *experts > 0 && *used > *experts)
      revision.report("lint.shape.experts", kConfig, number(*used) + " experts per token of " + number(*experts));
}

namespace {

void check_ids(Revision& revision, const json::Value* config) {
  const auto vocabulary = integer_at(config, "vocab_size");
  for (const char* path : {kConfig, "generation_config.json"})
    for (const char* key : {"eos_token_id", "bos_token_id", "pad_token_id", "decoder_start_token_id"})
      for (const std::int64_t id : ids_at(revision.document(path), key))
        if (id < 0 || (vocabulary && *vocabulary > 0 && id >= *vocabulary))
          revision.report("lint.config.id_outside_vocabulary", path,
                          std::string(key) + " " + number(id) + " lies outside the vocabulary" + (vocabulary ? " of " + number(*vocabulary) : ""));
}

void check_quantisation(Revision& revision, const json::Value* config) {
  static constexpr std::array<std::string_view, 26> known = {
      "awq",     "gptq",     "bitsandbytes", "aqlm",   "quanto",   "eetq",       "hqq",    "fp8",         "compressed-tensors", "compressed_tensors", "fbgemm_fp8",   "higgs",   "spqr",
      "torchao", "vptq",     "bitnet",       "auto-round", "mxfp4", "finegrained_fp8", "modelopt", "modelopt_fp4", "quark", "marlin",       "gguf",               "intel/auto-round", "exl3"};
  const json::Value* block = in_config(config, "quantization_config");
  if (!block || !block->object() || block->object()->empty()) return;
  const std::string method = text_at(block, "quant_method");
  const bool bitsandbytes = block->find("load_in_4bit") || block->find("load_in_8bit");
  if (method.empty() && !bitsandbytes) revision.report("lint.config.no_quant_method", kConfig, "quantization_config names no quant_method");
  else if (!method.empty() && std::find(known.begin(), known.end(), method) == known.end())
    revision.report("lint.config.unknown_quant_method", kConfig, "quant_method " + said(json::Value(method)) + " is known to neither transformers nor vLLM");
}

void check_rope(Revision& revision, const json::Value* config) {
  const json::Value* scaling = in_config(config, "rope_scaling");
  if (!scaling || scaling->is_null()) return;
  if (!scaling->object()) {
    revision.report("lint.config.rope_scaling_form", kConfig, "rope_scaling is " + said(*scaling) + ", neither an object nor null");
    return;
  }
  std::string type = text_at(scaling, "rope_type");
  if (type.empty()) type = text_at(scaling, "type");
  if (!type.empty() && !is_known_rope_type(type))
    revision.report("lint.config.rope_type_unknown", kConfig, "rope scaling type " + said(json::Value(type)) + " is known to neither transformers nor vLLM");
}

void check_dtype(Revision& revision, const json::Value* config) {
  static constexpr std::array<std::string_view, 12> known = {"float32", "float16", "bfloat16", "float64", "float8_e4m3fn", "float8_e5m2", "int8", "uint8", "auto", "float", "half", "int4"};
  for (const char* key : {"torch_dtype", "dtype"}) {
    std::string dtype = text_at(config, key);
    if (dtype.starts_with("torch.")) dtype.erase(0, 6);
    if (!dtype.empty() && std::find(known.begin(), known.end(), dtype) == known.end())
      revision.report("lint.config.dtype_unknown", kConfig, std::string(key) + " " + said(json::Value(dtype)) + " is no dtype of PyTorch");
  }
}

void check_labels(Revision& revision, const json::Value* config) {
  const json::Value *labels = config->find("id2label"), *indices = config->find("label2id");
  if (!labels || !indices || !labels->object() || !indices->object()) return;
  for (const auto& [id, label] : *labels->object()) {
    const json::Value* index = label.string() ? indices->find(*label.string()) : nullptr;
    if (index && index->integer() && std::to_string(*index->integer()) == id) continue;
    revision.report("lint.config.labels_disagree", kConfig, "id2label gives " + id + " the label " + said(label) + ", label2id does not give it back");
    return;  // one example says it
  }
}

}  // namespace

void check_config_values(Revision& revision) {
  const json::Value* config = revision.config();
  if (!config) return;
  check_ids(revision, config);
  check_quantisation(revision, config);
  check_rope(revision, config);
  check_dtype(revision, config);
  check_labels(revision, config);
  const json::Value* classes = config->find("architectures");
  const bool none = !classes || classes->is_null() || (classes->array() && classes->array()->empty());
  if (none && config->find("model_type") && config->find("hidden_size") && config->find("vocab_size"))
    revision.report("lint.config.architecture_unnamed", kConfig, "model type " + text_at(config, "model_type") + " comes without architectures");
}

void check_code_pointers(Revision& revision) {
  for (const char* path : {kConfig, "tokenizer_config.json", "preprocessor_config.json", "processor_config.json"}) {
    const json::Value* document = revision.document(path);
    const json::Value* map = document ? document->find("auto_map") : nullptr;
    if (!map || !map->object()) continue;
    std::set<std::string> modules, repositories;
    const auto note = [&](const json::Value& target) {
      if (!target.string()) return;
      const std::string& text = *target.string();
      if (const std::size_t at = text.find("--"); at != text.npos) repositories.insert(text.substr(0, at));
      else if (const std::size_t dot = text.rfind('.'); dot != text.npos) modules.insert(text.substr(0, dot));
    };
    for (const auto& [key, target] : *map->object()) {
      note(target);
      if (target.array())
        for (const json::Value& item : *target.array()) note(item);
    }
    for (std::string module : modules) {
      std::replace(module.begin(), module.end(), '.', '/');
      if (!revision.has(module + ".py")) revision.report("lint.code.missing_module", path, "auto_map names " + module + ".py, which is not in the repository");
    }
    for (const std::string& repository : repositories)
      revision.report("lint.code.foreign_module", path, "auto_map runs code from " + repository + " at whatever its head is");
  }
}

}  // namespace modelwatch::advisories::lint_checks
