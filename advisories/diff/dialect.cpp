#include "advisories/diff/dialect.h"

#include <algorithm>
#include <array>

#include "advisories/diff/rules/tables.h"
#include "advisories/manifest/files.h"

namespace modelwatch::advisories {
namespace {

std::optional<json::Value> no_default(const json::Value&, std::string_view) { return std::nullopt; }

const RuleBook& config_rules() {
  static const RuleBook book({kIdentityRules, kShapeRules, kAttentionRules, kRopeRules, kTokenRules, kQuantisationRules, kComputationRules,
                              kGenerationRules, kBookkeepingRules, kTrainingRules, kPatternRules});
  return book;
}
const RuleBook& generation_rules() {
  static const RuleBook book({kGenerationRules, kTokenRules, kBookkeepingRules, kGenerationRestRules});
  return book;
}
const RuleBook& quantisation_rules() {
  static const RuleBook book({kQuantisationRules});
  return book;
}
template <const RuleTable& table>
const RuleBook& only() {
  static const RuleBook book({table});
  return book;
}

constexpr Presence kConfigPresence{Impact::resource, Impact::breaking, "the model can be loaded from here", "loaders find no configuration and fail"};
constexpr Presence kEmbeddingPresence{Impact::behaviour, Impact::breaking, "sentence-transformers builds the embedding by it from now on",
                                      "sentence-transformers falls back to mean pooling without normalisation"};

const Dialect kConfig{"model configuration", "", normal_config, config_default, config_rules, kConfigPresence};
const Dialect kGeneration{"generation defaults", "", normal_generation, generation_default, generation_rules,
                          {Impact::behaviour, Impact::breaking, "callers that set nothing get these from now on", "loaders fall back to their own and to config.json"}};
const Dialect kQuantisationFile{"quantisation", "quantization_config/", normal_plain, no_default, quantisation_rules,
                                {Impact::behaviour, Impact::breaking, "engines read how the weights are stored from it", "engines that read it cannot tell how the weights are stored"}};
const Dialect kModelOpt{"quantisation", "", normal_plain, no_default, quantisation_rules, kQuantisationFile.presence};
const Dialect kProcessor{"processor", "", normal_processor, no_default, only<kProcessorRules>,
                         {Impact::behaviour, Impact::breaking, "AutoProcessor builds the processor by it from now on", "AutoProcessor fails or takes defaults"}};
const Dialect kAdapter{"adapter", "", normal_adapter, adapter_default, only<kAdapterRules>,
                       {Impact::resource, Impact::breaking, "PEFT can load an adapter from here", "PEFT can no longer load the adapter"}};
const Dialect kTokenizer{"tokenizer settings", "", normal_tokenizer, tokenizer_default, only<kTokenizerRules>,
                         {Impact::behaviour, Impact::breaking, "AutoTokenizer reads class, special tokens and limits from it from now on",
                          "AutoTokenizer guesses class, special tokens and limits"}};
const Dialect kTokenizerFile{"tokenizer", "", normal_tokenizer_file, tokenizer_file_default, only<kTokenizerFileRules>,
                             {Impact::behaviour, Impact::breaking, "AutoTokenizer takes the fast tokenizer from it from now on",
                              "AutoTokenizer has to build the tokenizer from slower files, or fails"}};
const Dialect kSpecialTokens{"special tokens", "", normal_tokenizer, no_default, only<kSpecialTokenRules>,
                             {Impact::behaviour, Impact::breaking, "tokenizers take special tokens from it", "tokenizers lose the special tokens named only here"}};
const Dialect kAddedTokens{"added tokens", "", normal_verbatim, no_default, only<kSpecialTokenRules>, kSpecialTokens.presence};
const Dialect kSentence{"embedding settings", "", normal_verbatim, no_default, only<kSentenceRules>, kEmbeddingPresence};
const Dialect kPooling{"embedding module", "", normal_verbatim, no_default, only<kPoolingRules>, kEmbeddingPresence};
const Dialect kPipeline{"pipeline", "", normal_verbatim, no_default, only<kPipelineRules>,
                        {Impact::resource, Impact::breaking, "diffusers can build a pipeline from here", "diffusers can no longer build the pipeline"}};
const Dialect kComponent{"pipeline component", "", normal_plain, no_default, only<kComponentRules>,
                         {Impact::resource, Impact::breaking, "diffusers builds the component by it", "diffusers can no longer build the component"}};
const Dialect kEngine{"engine settings", "", normal_verbatim, no_default, only<kEngineRules>,
                      {Impact::resource, Impact::breaking, "an engine can run the model from here", "the engine that reads it can no longer run the model"}};

constexpr std::array kAll = {&kConfig,  &kGeneration,    &kQuantisationFile, &kModelOpt, &kProcessor, &kAdapter,   &kTokenizer, &kTokenizerFile,
                             &kSpecialTokens, &kAddedTokens, &kSentence,   &kPooling,  &kPipeline,  &kComponent, &kEngine};

struct Named {
  std::string_view file;
  const Dialect* dialect;
};
constexpr Named kNames[] = {
    {"tokenizer_config.json", &kTokenizer},     {"tokenizer.json", &kTokenizerFile}, {"special_tokens_map.json", &kSpecialTokens}, {"added_tokens.json", &kAddedTokens},
    {"modules.json", &kSentence},                    {"config_sentence_transformers.json", &kSentence}, {"model_index.json", &kPipeline},
    {"scheduler_config.json", &kComponent},          {"hf_quant_config.json", &kModelOpt},         {"quantize_config.json", &kQuantisationFile},
    {"quant_config.json", &kQuantisationFile},       {"mlc-chat-config.json", &kEngine},           {"mlc-app-config.json", &kEngine}};

/// "1_Pooling/", "2_Dense/": the modules of sentence-transformers.
bool in_sentence_module(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return false;
  const std::string_view folder = path.substr(0, slash).substr(path.substr(0, slash).rfind('/') + 1);
  return folder.size() > 2 && folder[0] >= '0' && folder[0] <= '9' && folder[1] == '_';
}

}  // namespace

const Dialect* dialect_of(std::string_view path, const json::Value* document) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (const Named& row : kNames)
    if (row.file == name) return row.dialect;
  switch (part_of(path)) {
    case Part::generation: return &kGeneration;
    case Part::processor: return &kProcessor;
    case Part::adapter: return &kAdapter;
    case Part::config: break;
    default: return nullptr;
  }
  if (name.starts_with("sentence_")) return &kSentence;
  if (in_sentence_module(path) && !(document && document->find("model_type"))) return &kPooling;
  return document && document->find("_class_name") ? &kComponent : &kConfig;
}

std::span<const Dialect* const> dialects() { return kAll; }

std::string rule_key(const Dialect& dialect, std::string_view pointer) {
  std::string key(dialect.key_prefix);
  const std::vector<std::string> tokens = pointer_tokens(pointer);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (&dialect == &kConfig && i + 1 < tokens.size() && is_nested_config(tokens[i])) continue;
    key += tokens[i];
    if (i + 1 < tokens.size()) key += '/';
  }
  return key;
}

}  // namespace modelwatch::advisories
