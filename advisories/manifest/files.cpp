#include "advisories/manifest/files.h"

#include <algorithm>
#include <array>
#include <string>

namespace modelwatch::advisories {
namespace {

constexpr std::uint64_t kKiB = 1024, kMiB = 1024 * kKiB;

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return out;
}

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
template <std::size_t N>
bool ends_with_one_of(std::string_view name, const std::array<std::string_view, N>& endings) {
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view end) { return name.ends_with(end); });
}

constexpr std::array<std::string_view, 24> kWeightEndings = {
    ".safetensors", ".bin",  ".pt",  ".pth",    ".ckpt", ".gguf", ".ggml",      ".onnx",        ".onnx_data",   ".h5",
    ".msgpack",     ".pkl",  ".pickle", ".joblib", ".npz",  ".npy",  ".tflite",    ".mlmodel",     ".index.json", ".nemo",
    ".ot",          ".llamafile", ".engine", ".dduf"};
constexpr std::array<std::string_view, 24> kTokenizerNames = {
    "tokenizer.json",     "tokenizer_config.json",   "special_tokens_map.json", "added_tokens.json", "vocab.json",
    "merges.txt",         "vocab.txt",               "vocab.bpe",               "encoder.json",      "tokenizer.model",
    "spiece.model",       "sentencepiece.bpe.model", "sentencepiece.model",     "spm.model",         "source.spm",
    "target.spm",         "tekken.json",             "bpe.codes",               "dict.txt",          "tokenizer.vocab",
    "normalizer.json",    "tokenizer_file.json",     "prepend_vocab.json",      "bpe.model"};
constexpr std::array<std::string_view, 8> kProcessorNames = {
    "preprocessor_config.json",        "processor_config.json",    "video_preprocessor_config.json", "image_processor_config.json",
    "feature_extractor_config.json",   "audio_processor_config.json", "preprocessor.json",           "image_processor.json"};
constexpr std::array<std::string_view, 16> kConfigNames = {
    "config.json",        "modules.json",         "sentence_bert_config.json", "config_sentence_transformers.json",
    "model_index.json",   "scheduler_config.json", "hf_quant_config.json",     "quantize_config.json",
    "quant_config.json",  "params.json",          "configuration.json",        "sentence_distilbert_config.json",
    "sentence_roberta_config.json", "sentence_xlm-roberta_config.json", "sentence_xlnet_config.json", "sentence_mpnet_config.json"};
constexpr std::array<std::string_view, 9> kCodeEndings = {".py",  ".pyc",   ".pyx", ".so",    ".dll",
                                                          ".sh",  ".dylib", ".pyd", ".egg"};
constexpr std::array<std::string_view, 8> kCodeNames = {"requirements.txt", "setup.py",         "setup.cfg",   "pyproject.toml",
                                                        "environment.yml",  "environment.yaml", "conda.yaml", "dockerfile"};

/// LICENSE, LICENSE.txt, LICENCE.md, NOTICE, USE_POLICY.md, … at any depth.
bool is_license(std::string_view lower_name) {
  static constexpr std::array<std::string_view, 8> stems = {"license", "licence", "notice",       "copying",
                                                            "use_policy", "usage_policy", "acceptable_use_policy", "terms"};
  const std::string_view stem = lower_name.substr(0, lower_name.find('.'));
  const std::string_view ending = lower_name.substr(stem.size());
  if (!(ending.empty() || ending == ".txt" || ending == ".md" || ending == ".rst" || ending == ".pdf" || ending == ".html"))
    return false;
  return std::any_of(stems.begin(), stems.end(), [&](std::string_view s) {
    return stem == s || (stem.starts_with(s) && (stem[s.size()] == '-' || stem[s.size()] == '_')) ||
           (stem.size() > s.size() && stem.ends_with(s) && (stem[stem.size() - s.size() - 1] == '-' || stem[stem.size() - s.size() - 1] == '_'));
  });
}

bool is_template(std::string_view lower_name) {
  return lower_name.ends_with(".jinja") || lower_name.ends_with(".jinja2") || lower_name.ends_with(".j2") ||
         lower_name == "chat_template.json" || lower_name == "chat_template.txt";
}

}  // namespace

Part part_of(std::string_view path) {
  const std::string file = lower(path);
  const std::string_view name = base_name(file);
  if (is_template(name)) return Part::chat_template;
  if (is_one_of(name, kTokenizerNames) || name.ends_with(".tiktoken") || name.ends_with(".bpe") || name.ends_with(".spm") ||
      (name.starts_with("tokenizer") && name.ends_with(".model")))
    return Part::tokenizer;
  if (name == "generation_config.json") return Part::generation;
  if (is_one_of(name, kProcessorNames)) return Part::processor;
  if (name == "adapter_config.json") return Part::adapter;
  if (is_one_of(name, kConfigNames) && !(file.starts_with("onnx/") && name == "quantize_config.json")) return Part::config;
  if (is_one_of(name, kCodeNames) || ends_with_one_of(name, kCodeEndings) ||
      (name.starts_with("requirements") && name.ends_with(".txt")))
    return Part::code;
  if (ends_with_one_of(name, kWeightEndings)) return Part::weights;
  if (is_license(name)) return Part::license;
  if (file == "readme.md") return Part::card;
  return Part::other;
}

std::uint64_t fetch_limit(std::string_view path) {
  const std::string name = lower(base_name(path));
  if (name == "tokenizer.json" || name == "tekken.json") return 128 * kMiB;
  if (name.ends_with(".index.json")) return 64 * kMiB;
  switch (part_of(path)) {
    case Part::tokenizer: return 32 * kMiB;
    case Part::config: return 8 * kMiB;
    case Part::code:
    case Part::chat_template:
    case Part::card: return 4 * kMiB;
    case Part::other: return 256 * kKiB;
    default: return 2 * kMiB;
  }
}

Fetch fetch_of(const ListedFile& file) {
  const std::string name = lower(base_name(file.path));
  if (name.ends_with(".safetensors")) return Fetch::safetensors_header;
  if (name.ends_with(".gguf")) return Fetch::gguf_header;
  static constexpr std::array<std::string_view, 9> text = {".json", ".txt", ".md", ".py", ".jinja", ".jinja2", ".j2", ".yaml", ".yml"};
  static constexpr std::array<std::string_view, 6> binary = {".model", ".tiktoken", ".bpe", ".spm", ".codes", ".vocab"};
  const Part part = part_of(file.path);
  bool wanted = false;
  switch (part) {
    case Part::weights: wanted = name.ends_with(".index.json"); break;
    case Part::tokenizer: wanted = ends_with_one_of(name, text) || ends_with_one_of(name, binary); break;
    case Part::code: wanted = ends_with_one_of(name, text) || is_one_of(name, kCodeNames) || name.ends_with(".sh"); break;
    case Part::license: wanted = !name.ends_with(".pdf"); break;
    case Part::other: wanted = name == "mlc-chat-config.json" || name == "mlc-app-config.json"; break;
    default: wanted = true;
  }
  return wanted && file.size <= fetch_limit(file.path) ? Fetch::whole : Fetch::nothing;
}

}  // namespace modelwatch::advisories
