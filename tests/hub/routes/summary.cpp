#include "tests/hub/routes/summary.h"

#include <map>
#include <set>

#include "estimator/json/reader.h"
#include "tests/hub/git/safetensors.h"

namespace modelwatch::testhub {
namespace {

json::Value read_json(const Tree& tree, const std::string& path) {
  const BlobPtr* blob = tree.find(path);
  if (!blob) return {};
  auto read = json::read((*blob)->content.bytes());
  return read ? std::move(read->value) : json::Value();
}

std::vector<std::string> strings(const json::Value* value) {
  std::vector<std::string> out;
  if (!value) return out;
  if (value->string()) out.push_back(*value->string());
  if (value->array())
    for (const json::Value& item : *value->array())
      if (item.string()) out.push_back(*item.string());
  return out;
}

std::string text(const json::Value* value) {
  return value && value->string() ? *value->string() : std::string();
}

json::Object digest_config(const json::Value& config, const json::Value& tokenizer) {
  json::Object out;
  for (const char* key : {"architectures", "model_type", "auto_map", "quantization_config"})
    if (const json::Value* value = config.find(key)) out.append(key, *value);
  if (!config.is_object()) return out;
  json::Object tokens;
  for (const char* key : {"bos_token", "eos_token", "pad_token", "unk_token", "chat_template"})
    if (const json::Value* value = tokenizer.find(key)) tokens.append(key, *value);
  out.append("tokenizer_config", std::move(tokens));
  return out;
}

void count_elements(const Content& content, std::map<std::string, std::int64_t>& by_dtype) {
  const auto header = safetensors_header(content);
  if (!header) return;
  for (const auto& [name, tensor] : *header->object()) {
    const json::Value* shape = tensor.find("shape");
    if (!shape || !shape->array()) continue;
    std::int64_t elements = 1;
    for (const json::Value& dimension : *shape->array()) elements *= dimension.integer().value_or(0);
    by_dtype[text(tensor.find("dtype"))] += elements;
  }
}

std::optional<json::Object> count_parameters(const Tree& tree) {
  std::map<std::string, std::int64_t> by_dtype;
  if (const BlobPtr* whole = tree.find("model.safetensors")) {
    count_elements((*whole)->content, by_dtype);
  } else if (const json::Value index = read_json(tree, "model.safetensors.index.json");
             index.find("weight_map")) {
    std::set<std::string> shards;
    if (const json::Object* map = index.find("weight_map")->object())
      for (const auto& [tensor, shard] : *map) shards.insert(text(&shard));
    for (const std::string& shard : shards)
      if (const BlobPtr* blob = tree.find(shard)) count_elements((*blob)->content, by_dtype);
  }
  if (by_dtype.empty()) return {};
  json::Object parameters;
  std::int64_t total = 0;
  for (const auto& [dtype, count] : by_dtype) {
    parameters.append(dtype, count);
    total += count;
  }
  return json::Object{{"parameters", std::move(parameters)}, {"total", total}};
}

bool generates_text(const std::string& architecture) {
  return architecture.ends_with("ForCausalLM") || architecture.ends_with("LMHeadModel");
}

std::optional<json::Object> transformers_info(const json::Object& config, const std::string& pipeline_tag) {
  const std::vector<std::string> architectures = strings(config.find("architectures"));
  if (architectures.empty()) return {};
  json::Object out{{"auto_model", generates_text(architectures[0]) ? "AutoModelForCausalLM" : "AutoModel"}};
  if (config.find("auto_map"))
    out.append("custom_class", text(config.find("auto_map")->find("AutoModelForCausalLM")));
  if (!pipeline_tag.empty()) out.append("pipeline_tag", pipeline_tag);
  out.append("processor", "AutoTokenizer");
  return out;
}

void add_prefixed(std::vector<std::string>& tags, const std::string& prefix,
                  const std::vector<std::string>& values) {
  for (const std::string& value : values) tags.push_back(prefix + value);
}

std::vector<std::string> tags_of(const Tree& tree, const Summary& summary) {
  std::vector<std::string> tags;
  if (!summary.library_name.empty()) tags.push_back(summary.library_name);
  for (const auto& [suffix, tag] :
       {std::pair{".bin", "pytorch"}, {".onnx", "onnx"}, {".safetensors", "safetensors"}, {".gguf", "gguf"}})
    for (const auto& [path, blob] : tree.files)
      if (path.ends_with(suffix)) {
        tags.emplace_back(tag);
        break;
      }
  if (const std::string type = text(summary.config.find("model_type")); !type.empty()) tags.push_back(type);
  if (!summary.pipeline_tag.empty()) tags.push_back(summary.pipeline_tag);
  if (summary.config.find("auto_map")) tags.emplace_back("custom_code");
  if (summary.card) {
    add_prefixed(tags, "", strings(summary.card->find("tags")));
    add_prefixed(tags, "", strings(summary.card->find("language")));
    add_prefixed(tags, "dataset:", strings(summary.card->find("datasets")));
    add_prefixed(tags, "base_model:", strings(summary.card->find("base_model")));
    add_prefixed(tags, "license:", strings(summary.card->find("license")));
  }
  tags.emplace_back("region:us");
  return tags;
}

}  // namespace

Summary summarize(const Tree& tree) {
  Summary out;
  out.config = digest_config(read_json(tree, "config.json"), read_json(tree, "tokenizer_config.json"));
  if (const BlobPtr* readme = tree.find("README.md")) out.card = read_card((*readme)->content.bytes());
  if (out.card) {
    out.pipeline_tag = text(out.card->find("pipeline_tag"));
    out.library_name = text(out.card->find("library_name"));
  }
  if (out.library_name.empty() && out.config.find("architectures")) out.library_name = "transformers";
  if (out.pipeline_tag.empty())
    for (const std::string& name : strings(out.config.find("architectures")))
      if (generates_text(name)) out.pipeline_tag = "text-generation";
  out.safetensors = count_parameters(tree);
  out.transformers = transformers_info(out.config, out.pipeline_tag);
  out.tags = tags_of(tree, out);
  return out;
}

}  // namespace modelwatch::testhub
