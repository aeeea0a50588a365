#include <algorithm>
#include <array>

#include "advisories/diff/json_difference.h"
#include "advisories/diff/normal_form.h"
#include "advisories/diff/normal_values.h"
#include "estimator/config/defaults.h"

namespace modelwatch::advisories {
namespace {

using json::child_pointer;

/// Classes whose rope base is not 10000 where the config names none (transformers 4 declared it; 5 keeps it in code).
struct Base {
  std::string_view type;
  double theta;
};
constexpr std::array kBases = {Base{"mixtral", 1e6}, Base{"llama4_text", 5e5}, Base{"smollm3", 2e6},   Base{"ernie4_5", 5e5},
                               Base{"gpt_oss", 150000}, Base{"gemma3_text", 1e6}, Base{"minimax", 1e6}, Base{"modernbert", 160000}};

double rope_base(std::string_view type) {
  for (const Base& base : kBases)
    if (base.type == type) return base.theta;
  return 10000;
}

std::string_view text_of(const json::Value* value) {
  const std::string* text = value ? value->string() : nullptr;
  return text ? std::string_view(*text) : std::string_view();
}

class ConfigReader {
 public:
  NormalForm form;

  json::Value read(const json::Object& object, std::string_view type, const std::string& from, const std::string& to) {
    json::Object out;
    for (const auto& [key, value] : object) member(key, value, type, from, to, out);
    derive(out, type);
    return out;
  }

 private:
  void member(const std::string& key, const json::Value& value, std::string_view type, const std::string& from, const std::string& to,
              json::Object& out) {
    if (key == "rope_scaling" || key == "rope_parameters") return rope(key, value, type, from, to, out);
    const std::string name(estimator::canonical_key(type, key));
    const std::string here = child_pointer(from, key), there = child_pointer(to, name);
    if (name != key) form.moved[here] = {there};
    if (is_nested_config(key) && value.object()) {
      std::string_view inner = text_of(value.find("model_type"));
      if (inner.empty()) inner = estimator::part_type(type, key);
      json::Value part = read(*value.object(), inner, here, there);
      if (inner == estimator::part_type(type, key)) part.object()->erase("model_type");
      out.set(name, std::move(part));
      return;
    }
    json::Value normal = normal_config_value(name, value);
    if (!is_default(type, name, normal)) out.set(name, std::move(normal));
  }

  static bool is_default(std::string_view type, std::string_view key, const json::Value& value) {
    if (key == "model_type" || key == "architectures" || key == "auto_map") return false;
    const auto known = config_key_default(type, key);
    return known ? value == *known : value.is_null();
  }

  /// Both spellings of rope end as "rope_theta", "rope_local_base_freq" and "rope_scaling".
  void rope(const std::string& key, const json::Value& value, std::string_view type, const std::string& from, const std::string& to,
            json::Object& out) {
    const std::string here = child_pointer(from, key), scaling = child_pointer(to, "rope_scaling");
    const std::string theta = child_pointer(to, "rope_theta"), local = child_pointer(to, "rope_local_base_freq");
    form.moved[here] = {scaling};
    if (!value.object()) {
      if (!value.is_null()) out.set("rope_scaling", value);
      return;
    }
    const json::Value *full = value.find("full_attention"), *sliding = value.find("sliding_attention");
    const bool by_kind = full && full->object() && sliding && sliding->object();
    if (key == "rope_parameters") form.moved[here] = by_kind ? std::vector{scaling, theta, local} : std::vector{scaling, theta};
    form.moved[child_pointer(here, "type")] = {child_pointer(scaling, "rope_type")};
    form.moved[child_pointer(here, "rope_theta")] = {theta};
    if (by_kind) {
      form.moved[here + "/full_attention"] = {scaling};
      form.moved[here + "/full_attention/rope_theta"] = {theta};
      form.moved[here + "/sliding_attention/rope_theta"] = {local};
    }
    scale(by_kind ? *full->object() : *value.object(), type, "rope_theta", "rope_scaling", out);
    if (by_kind) scale(*sliding->object(), type, "rope_local_base_freq", "rope_scaling_sliding", out);
  }

  static void scale(const json::Object& given, std::string_view type, std::string theta_key, std::string scaling_key, json::Object& out) {
    json::Object scaling;
    for (const auto& [key, value] : given) {
      if (value.is_null()) continue;
      if (key == "rope_theta") {
        if (!is_default(type, theta_key, value)) out.set(theta_key, value);
      } else if (key == "type" || key == "rope_type") {
        // "mrope" is "default" with sections; transformers writes either.
        const std::string_view kind = text_of(&value);
        if (kind != "default" && kind != "mrope") scaling.set("rope_type", value);
      } else {
        scaling.set(key, value);
      }
    }
    if (!scaling.empty()) out.set(std::move(scaling_key), std::move(scaling));
  }

  /// What the classes derive from other keys, where it is written out.
  static void derive(json::Object& out, std::string_view type) {
    const auto in_force = [&](std::string_view key) {
      const json::Value* written = out.find(key);
      return written ? std::optional(*written) : config_key_default(type, key);
    };
    const auto heads = in_force("num_attention_heads"), size = in_force("hidden_size");
    const json::Value* shared = out.find("num_key_value_heads");
    if (heads && shared && *heads == *shared && !config_key_default(type, "num_key_value_heads")) out.erase("num_key_value_heads");
    const json::Value* head = out.find("head_dim");
    if (!head || !heads || !size || !estimator::knows_type(type) || config_key_default(type, "head_dim")) return;
    const auto h = heads->integer(), s = size->integer(), d = head->integer();
    if (h && s && d && *h > 0 && *s % *h == 0 && *s / *h == *d) out.erase("head_dim");
  }
};

}  // namespace

bool is_nested_config(std::string_view key) {
  static constexpr std::array<std::string_view, 7> groups = {"quantization_config", "compression_config", "generation_config", "transformers.js_config",
                                                             "slice_config",        "sparse_attention_config", "watermarking_config"};
  static constexpr std::array<std::string_view, 6> plain = {"encoder", "decoder", "text_model", "vision_model", "language_model", "question_encoder"};
  if (std::find(plain.begin(), plain.end(), key) != plain.end()) return true;
  return key.ends_with("_config") && std::find(groups.begin(), groups.end(), key) == groups.end();
}

std::optional<json::Value> config_key_default(std::string_view type, std::string_view key) {
  if (auto declared = estimator::default_of(type, key)) return declared;
  if (key == "rope_theta" && estimator::knows_type(type)) return json::Value(rope_base(type));
  return base_config_default(key);
}

NormalForm normal_config(const json::Value& document) {
  ConfigReader reader;
  reader.form.value = document.object() ? reader.read(*document.object(), text_of(document.find("model_type")), "", "") : document;
  return std::move(reader.form);
}

std::optional<json::Value> config_default(const json::Value& document, std::string_view pointer) {
  std::string_view type = text_of(document.find("model_type"));
  const json::Value* here = &document;
  const std::vector<std::string> tokens = pointer_tokens(pointer);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!is_nested_config(tokens[i])) {
      const bool theta = tokens[i] == "rope_parameters" && i + 2 == tokens.size() && tokens[i + 1] == "rope_theta";
      return theta ? config_key_default(type, "rope_theta") : std::nullopt;
    }
    here = here ? here->find(tokens[i]) : nullptr;
    const std::string_view own = here ? text_of(here->find("model_type")) : std::string_view();
    type = own.empty() ? estimator::part_type(type, tokens[i]) : own;
  }
  return tokens.empty() ? std::nullopt : config_key_default(type, estimator::canonical_key(type, tokens.back()));
}

}  // namespace modelwatch::advisories
