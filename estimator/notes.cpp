#include "estimator/notes.h"

namespace modelwatch::estimator {

std::string quantization_method(const Config& root) {
  const json::Value* quantization = root.raw("quantization_config");
  if (!quantization || !quantization->is_object()) quantization = root.raw("compression_config");
  if (!quantization || !quantization->is_object()) return {};
  for (const std::string_view key : {"quant_method", "quant_algo", "quant_type"})
    if (const json::Value* method = quantization->find(key); method && method->string()) return *method->string();
  return "unnamed";
}

std::vector<Note> notes_of(const Config& root) {
  std::vector<Note> notes;
  if (const std::string method = quantization_method(root); !method.empty())
    notes.push_back({"quantized", "The weights are stored quantised (" + method +
                                      "); parameters are logical ones, the stored bytes follow from the headers."});
  if (const json::Value* code = root.raw("auto_map"); code && code->is_object() && !code->object()->empty())
    notes.push_back({"custom-code", "auto_map names code of the repository's own: it may differ from the class that is counted here."});
  if (root.raw("peft_type"))
    notes.push_back({"adapter", "This is the configuration of an adapter, not of a model: its base model decides the sizes."});
  return notes;
}

}  // namespace modelwatch::estimator
