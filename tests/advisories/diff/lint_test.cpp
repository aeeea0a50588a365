#include "advisories/diff/lint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/support/snapshots.h"

namespace modelwatch::advisories {
namespace {

using testing::Files;
using testing::snapshot_of;

struct Case {
  const char* rule;
  Files firing;
  Files silent;  ///< the nearest files that are right
};

const char* kLfsPointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n";

std::vector<Case> cases() {
  const auto config = [](const char* text) { return Files{{"config.json", text}}; };
  const auto generation = [](const char* text) { return Files{{"generation_config.json", text}}; };
  return {
      {"lint.json.unparsable", config("{\"a\":1,}"), config("{\"a\":1}")},
      {"lint.json.duplicate_key", config(R"({"a":1,"a":2})"), config(R"({"a":1,"b":2})")},
      {"lint.json.not_finite", config(R"({"a":NaN})"), config(R"({"a":"NaN"})")},
      {"lint.files.lfs_pointer", {{"tokenizer.json", kLfsPointer}}, {{"tokenizer.json", "{}"}}},
      {"lint.files.empty", {{"generation_config.json", ""}}, {{"notes.txt", ""}}},
      {"lint.shape.heads_do_not_divide", config(R"({"hidden_size":100,"num_attention_heads":3})"), config(R"({"hidden_size":100,"num_attention_heads":3,"head_dim":32})")},
      {"lint.shape.key_value_heads", config(R"({"num_attention_heads":32,"num_key_value_heads":5})"), config(R"({"num_attention_heads":32,"num_key_value_heads":8})")},
      {"lint.shape.layer_types", config(R"({"num_hidden_layers":3,"layer_types":["a","a"]})"), config(R"({"num_hidden_layers":2,"layer_types":["a","a"]})")},
      {"lint.shape.absurd", config(R"({"num_hidden_layers":5000})"), config(R"({"num_hidden_layers":126})")},
      {"lint.shape.experts", config(R"({"num_experts":8,"num_experts_per_tok":9})"), config(R"({"num_experts":8,"num_experts_per_tok":8})")},
      {"lint.config.id_outside_vocabulary", config(R"({"vocab_size":10,"eos_token_id":[2,10]})"), config(R"({"vocab_size":10,"eos_token_id":[2,9]})")},
      {"lint.config.no_quant_method", config(R"({"quantization_config":{"bits":4}})"), config(R"({"quantization_config":{}})")},
      {"lint.config.unknown_quant_method", config(R"({"quantization_config":{"quant_method":"fp16"}})"), config(R"({"quantization_config":{"quant_method":"gptq"}})")},
      {"lint.config.rope_scaling_form", config(R"({"rope_scaling":"dynamic"})"), config(R"({"rope_scaling":null})")},
      {"lint.config.rope_type_unknown", config(R"({"rope_scaling":{"type":"ntk_yarn"}})"), config(R"({"rope_scaling":{"type":"yarn"}})")},
      {"lint.config.dtype_unknown", config(R"({"torch_dtype":"fp16"})"), config(R"({"torch_dtype":"torch.float16"})")},
      {"lint.config.labels_disagree", config(R"({"id2label":{"0":"a"},"label2id":{"a":1}})"), config(R"({"id2label":{"0":"a"},"label2id":{"a":0}})")},
      {"lint.config.architecture_unnamed", config(R"({"model_type":"llama","hidden_size":8,"vocab_size":8})"),
       config(R"({"model_type":"llama","hidden_size":8,"vocab_size":8,"architectures":["L"]})")},
      {"lint.code.missing_module", config(R"({"auto_map":{"AutoModel":"modeling_x.X"}})"), {{"config.json", R"({"auto_map":{"AutoModel":"modeling_x.X"}})"}, {"modeling_x.py", ""}}},
      {"lint.code.foreign_module", config(R"({"auto_map":{"AutoModel":"a/b--m.X"}})"), {{"config.json", R"({"auto_map":{"AutoModel":"m.X"}})"}, {"m.py", ""}}},
      {"lint.generation.stop_ids_disagree", {{"config.json", R"({"eos_token_id":2})"}, {"generation_config.json", R"({"eos_token_id":7})"}},
       {{"config.json", R"({"eos_token_id":2})"}, {"generation_config.json", R"({"eos_token_id":[2,7]})"}}},
      {"lint.generation.zero_temperature", generation(R"({"do_sample":true,"temperature":0.0})"), generation(R"({"do_sample":false,"temperature":0.0})")},
      {"lint.generation.unused_sampling", generation(R"({"temperature":0.6})"), generation(R"({"do_sample":true,"temperature":0.6})")},
      {"lint.tokenizer.stop_token_disagrees",
       {{"config.json", R"({"eos_token_id":2})"}, {"tokenizer_config.json", R"({"eos_token":"<e>","added_tokens_decoder":{"7":{"content":"<e>"}}})"}},
       {{"config.json", R"({"eos_token_id":7})"}, {"tokenizer_config.json", R"({"eos_token":"<e>","added_tokens_decoder":{"7":{"content":"<e>"}}})"}}},
      {"lint.tokenizer.id_outside_vocabulary", {{"config.json", R"({"vocab_size":7})"}, {"tokenizer_config.json", R"({"added_tokens_decoder":{"7":{"content":"<e>"}}})"}},
       {{"config.json", R"({"vocab_size":8})"}, {"tokenizer_config.json", R"({"added_tokens_decoder":{"7":{"content":"<e>"}}})"}}},
      {"lint.tokenizer.added_tokens_disagree", {{"added_tokens.json", R"({"<e>":8})"}, {"tokenizer_config.json", R"({"added_tokens_decoder":{"7":{"content":"<e>"}}})"}},
       {{"added_tokens.json", R"({"<e>":7})"}, {"tokenizer_config.json", R"({"added_tokens_decoder":{"7":{"content":"<e>"}}})"}}},
      {"lint.tokenizer.special_tokens_disagree", {{"special_tokens_map.json", R"({"pad_token":"a"})"}, {"tokenizer_config.json", R"({"pad_token":"b"})"}},
       {{"special_tokens_map.json", R"({"pad_token":{"content":"b"}})"}, {"tokenizer_config.json", R"({"pad_token":"b"})"}}},
      {"lint.tokenizer.padding_is_stop", {{"tokenizer_config.json", R"({"pad_token":"</s>","eos_token":"</s>"})"}}, {{"tokenizer_config.json", R"({"pad_token":"<p>","eos_token":"</s>"})"}}},
      {"lint.tokenizer.length_beyond_context", {{"config.json", R"({"max_position_embeddings":512})"}, {"tokenizer_config.json", R"({"model_max_length":8192})"}},
       {{"config.json", R"({"max_position_embeddings":512})"}, {"tokenizer_config.json", R"({"model_max_length":1000000000000000019884624838656})"}}},
      {"lint.adapter.no_base", {{"adapter_config.json", R"({"base_model_name_or_path":"/home/x"})"}}, {{"adapter_config.json", R"({"base_model_name_or_path":"a/b"})"}}},
      {"lint.card.unparsable", {{"README.md", "---\na: [\n---\n"}}, {{"README.md", "---\na: []\n---\n"}}},
      {"lint.card.license_disagrees", {{"README.md", "---\nlicense: mit\n---\n"}, {"LICENSE", "Apache License"}}, {{"README.md", "---\nlicense: apache-2.0\n---\n"}, {"LICENSE", "Apache License"}}},
      {"lint.weights.missing_shard", {{"model.safetensors.index.json", R"({"weight_map":{"a":"model-1-of-1.safetensors"}})"}},
       {{"model.safetensors.index.json", R"({"weight_map":{"a":"model-1-of-1.safetensors"}})"}, {"model-1-of-1.safetensors", "x"}}},
      {"lint.weights.unindexed_shard", {{"model.safetensors.index.json", R"({"weight_map":{}})"}, {"model-2-of-2.safetensors", "x"}},
       {{"model.safetensors.index.json", R"({"weight_map":{}})"}, {"extra.safetensors", "x"}}},
      {"lint.weights.head_missing",
       {{"config.json", R"({"architectures":["LlamaForCausalLM"],"tie_word_embeddings":false})"}, {"model.safetensors.index.json", R"({"weight_map":{"model.embed_tokens.weight":"m"}})"}},
       {{"config.json", R"({"architectures":["LlamaForCausalLM"],"tie_word_embeddings":true})"}, {"model.safetensors.index.json", R"({"weight_map":{"model.embed_tokens.weight":"m"}})"}}},
      {"lint.weights.pickle_only", {{"pytorch_model.bin", "x"}}, {{"pytorch_model.bin", "x"}, {"model.safetensors", "x"}}},
  };
}

std::set<std::string> rules_of(const Files& files) {
  std::set<std::string> rules;
  for (const Finding& finding : lint(snapshot_of(files))) {
    EXPECT_FALSE(finding.meaning.empty());
    rules.insert(finding.rule);
  }
  return rules;
}

TEST(Lint, EachRuleFiresOnItsFaultAndIsSilentBesideIt) {
  std::set<std::string> tried;
  for (const Case& c : cases()) {
    EXPECT_TRUE(rules_of(c.firing).contains(c.rule)) << c.rule;
    EXPECT_FALSE(rules_of(c.silent).contains(c.rule)) << c.rule;
    tried.insert(c.rule);
  }
  for (const LintRule& rule : lint_rules()) EXPECT_TRUE(tried.contains(std::string(rule.id))) << rule.id << " has no case";
}

TEST(Lint, ADiffSaysAFaultWhenItFirstShows) {
  const Files right{{"config.json", R"({"eos_token_id":2})"}, {"generation_config.json", R"({"eos_token_id":2,"temperature":1})"}};
  const Files wrong{{"config.json", R"({"eos_token_id":2})"}, {"generation_config.json", R"({"eos_token_id":7})"}};
  const Files still{{"config.json", R"({"eos_token_id":2})"}, {"generation_config.json", R"({"eos_token_id":7,"top_k":5})"}};
  const auto says = [](const Files& before, const Files& after) {
    for (const Change& change : diff(snapshot_of(before), snapshot_of(after)).parts)
      for (const Finding& finding : change.findings)
        if (finding.rule == "lint.generation.stop_ids_disagree") return true;
    return false;
  };
  EXPECT_TRUE(says(right, wrong));
  EXPECT_FALSE(says(wrong, still));
}

TEST(Lint, ReadsNoFileOfARevisionThatIsNotAtHand) {
  EXPECT_TRUE(lint(snapshot_of({}, {{"config.json", "aa", 100, {}}, {"tokenizer_config.json", "bb", 100, {}}})).empty());
}

}  // namespace
}  // namespace modelwatch::advisories
