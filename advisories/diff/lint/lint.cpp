#include "advisories/diff/lint.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "advisories/diff/lint/revision.h"

namespace modelwatch::advisories {
namespace {

constexpr LintRule kRules[] = {
    {"lint.json.unparsable", Impact::breaking, "a file that loaders read is no JSON", "repair it at the line and column named"},
    {"lint.json.duplicate_key", Impact::behaviour, "a key stands twice in one object", "keep one: Python takes the last, other readers may take the first"},
    {"lint.json.not_finite", Impact::behaviour, "a file holds NaN or Infinity", "write a number: strict JSON readers (Rust, JavaScript, llama.cpp) refuse the file"},
    {"lint.files.lfs_pointer", Impact::breaking, "the pointer of a large file was committed as its content", "upload the file itself"},
    {"lint.files.empty", Impact::breaking, "a file that loaders read has zero bytes", "upload the file, or remove it"},
    {"lint.shape.heads_do_not_divide", Impact::breaking, "hidden size is no multiple of the attention heads, and no head size is given", "correct one of them, or write head_dim"},
    {"lint.shape.key_value_heads", Impact::breaking, "attention heads are no multiple of the key/value heads", "correct num_key_value_heads"},
    {"lint.shape.layer_types", Impact::breaking, "layer_types has another length than the number of layers", "write one entry a layer"},
    {"lint.shape.absurd", Impact::unknown, "a size is beyond anything that exists", "do not trust an estimate from this config"},
    {"lint.shape.experts", Impact::breaking, "more experts are used per token than there are", "correct num_experts_per_tok"},
    {"lint.config.id_outside_vocabulary", Impact::breaking, "a token id is negative or not below the vocabulary size", "correct the id: an embedding look-up with it fails"},
    {"lint.config.no_quant_method", Impact::breaking, "quantization_config names no method", "add quant_method: loaders cannot tell how the weights are stored"},
    {"lint.config.unknown_quant_method", Impact::breaking, "quantization_config names a method that transformers and vLLM do not know", "check the spelling, or name the engine that reads it"},
    {"lint.config.rope_scaling_form", Impact::breaking, "rope_scaling is neither an object nor null", "write an object with rope_type and factor"},
    {"lint.config.rope_type_unknown", Impact::breaking, "rope_scaling names a type that transformers and vLLM do not know", "check the spelling"},
    {"lint.config.dtype_unknown", Impact::breaking, "the declared dtype is none of PyTorch's", "check the spelling"},
    {"lint.config.labels_disagree", Impact::behaviour, "id2label and label2id are not each other's inverse", "write both from one list"},
    {"lint.config.architecture_unnamed", Impact::behaviour, "config.json has a model type and no architectures", "name the class: vLLM and converters refuse the model without"},
    {"lint.code.missing_module", Impact::breaking, "auto_map names a module that is not in the repository", "upload the module or correct the name"},
    {"lint.code.foreign_module", Impact::security, "auto_map names code in another repository, at whatever its head is", "read that code and load with a pinned code_revision"},
    {"lint.generation.stop_ids_disagree", Impact::behaviour, "config.json has a stop id that generation_config.json lacks", "engines read one or the other: write the same ids into both"},
    {"lint.generation.zero_temperature", Impact::breaking, "sampling is on with a temperature of 0", "switch do_sample off: transformers refuses the pair"},
    {"lint.generation.unused_sampling", Impact::cosmetic, "sampling parameters are given and do_sample is off", "switch do_sample on, or drop them: transformers warns on every call"},
    {"lint.tokenizer.stop_token_disagrees", Impact::behaviour, "the tokenizer's stop token is none of the model's stop ids", "check which one ends an answer"},
    {"lint.tokenizer.id_outside_vocabulary", Impact::breaking, "an added token has an id beyond the vocabulary size", "resize the embedding, or correct vocab_size"},
    {"lint.tokenizer.added_tokens_disagree", Impact::breaking, "a token has one id in added_tokens.json and another in tokenizer_config.json", "save the tokenizer again"},
    {"lint.tokenizer.special_tokens_disagree", Impact::behaviour, "special_tokens_map.json and tokenizer_config.json name different tokens", "save the tokenizer again: which file wins depends on the library's version"},
    {"lint.tokenizer.padding_is_stop", Impact::behaviour, "the padding token is the stop token", "set another before fine-tuning: masked padding also masks the stop"},
    {"lint.tokenizer.length_beyond_context", Impact::behaviour, "the tokenizer lets through more tokens than the model has positions", "set model_max_length to the model's context"},
    {"lint.adapter.no_base", Impact::behaviour, "the adapter names no base model, or a path on somebody's machine", "name the base by its repository: AutoPeftModel loads it from there"},
    {"lint.card.unparsable", Impact::legal, "the card's front matter does not parse", "repair it: the Hub shows no licence and no task"},
    {"lint.card.license_disagrees", Impact::legal, "the card declares one licence, the LICENSE file is another", "ask the owner which one holds"},
    {"lint.weights.missing_shard", Impact::breaking, "the index names a shard that is not there", "upload the shard, or the index that belongs to the others"},
    {"lint.weights.unindexed_shard", Impact::resource, "a shard is in no index", "remove it, or add it to the index"},
    {"lint.weights.head_missing", Impact::breaking, "the config says the output head is its own tensor, and no shard holds one", "set tie_word_embeddings to true, or add lm_head"},
    {"lint.weights.pickle_only", Impact::security, "the only weights are pickles", "convert them to safetensors: loading a pickle can run code"},
};

constexpr std::array<lint_checks::Check, 9> kChecks = {lint_checks::check_syntax,  lint_checks::check_files,      lint_checks::check_shape,
                                                       lint_checks::check_config_values, lint_checks::check_code_pointers, lint_checks::check_generation,
                                                       lint_checks::check_tokenizer, lint_checks::check_terms,    lint_checks::check_weights_index};

auto identity(const Finding& finding) { return std::tie(finding.rule, finding.path, finding.meaning); }

}  // namespace

std::span<const LintRule> lint_rules() { return kRules; }

std::vector<Finding> lint(const Snapshot& snapshot) {
  lint_checks::Revision revision(snapshot);
  for (const lint_checks::Check check : kChecks) check(revision);
  std::vector<Finding> findings = revision.take();
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return a.impact != b.impact ? a.impact > b.impact : identity(a) < identity(b);
  });
  return findings;
}

std::vector<Finding> new_faults(const Snapshot& before, const Snapshot& after) {
  const std::vector<Finding> old = lint(before);
  std::vector<Finding> findings = lint(after);
  std::erase_if(findings, [&](const Finding& now) {
    // The differ says these itself, with what could still be read.
    if (now.rule.starts_with("lint.json.") || now.rule == "lint.card.unparsable") return true;
    return std::any_of(old.begin(), old.end(), [&](const Finding& then) { return identity(now) == identity(then); });
  });
  return findings;
}

json::Value lint_json(const std::vector<Finding>& findings) {
  json::Array list;
  for (const Finding& finding : findings) list.push_back(to_json(finding));
  return json::Object{{"schema", "modelwatch/lint/1"},
                      {"impact", findings.empty() ? json::Value() : json::Value(name(findings.front().impact))},
                      {"findings", std::move(list)}};
}

}  // namespace modelwatch::advisories
