#include <gtest/gtest.h>

#include <algorithm>

#include "advisories/diff/diff.h"
#include "estimator/json/writer.h"
#include "tests/support/snapshots.h"

namespace modelwatch::advisories {
namespace {

using testing::Files;
using testing::snapshot_of;

/// An incident that hurt people, in small: what changed, and what a tracker owed its users.
struct Incident {
  const char* name;
  Files before, after;
  Part part;
  Impact at_least;
  const char* pointer;  ///< or a file, where the finding has no pointer
  const char* words;    ///< what broke, in the sentence
};

std::vector<Incident> incidents() {
  const char* names = R"({"added_tokens_decoder":{"128001":{"content":"<|end_of_text|>"},"128009":{"content":"<|eot_id|>"}}})";
  return {
      {"a stop id becomes a list",
       {{"generation_config.json", R"({"_from_model_config":true,"eos_token_id":128001,"transformers_version":"4.40"})"}, {"tokenizer_config.json", names}},
       {{"generation_config.json", R"({"_from_model_config":true,"eos_token_id":[128001,128009],"transformers_version":"4.40"})"}, {"tokenizer_config.json", names}},
       Part::generation, Impact::behaviour, "/eos_token_id", "128009 (<|eot_id|>) added"},
      {"stop and padding tokens are corrected", {{"tokenizer_config.json", R"({"eos_token":"<|end|>","pad_token":"<|end|>"})"}},
       {{"tokenizer_config.json", R"({"eos_token":"<|im_end|>","pad_token":"<|dummy|>"})"}}, Part::tokenizer, Impact::behaviour, "/eos_token", "from <|end|> to <|im_end|>"},
      {"a tokenizer class is named at last", {{"tokenizer_config.json", R"({"model_max_length":128})"}},
       {{"tokenizer_config.json", R"({"model_max_length":128,"tokenizer_class":"XLMRobertaTokenizer"})"}}, Part::tokenizer, Impact::behaviour, "/tokenizer_class", "XLMRobertaTokenizer"},
      {"repository code sets an attribute earlier", {{"tokenization_x.py", "class T:\n  def __init__(self):\n    super().__init__()\n    self.t = 1\n"}},
       {{"tokenization_x.py", "class T:\n  def __init__(self):\n    self.t = 1\n    super().__init__()\n"}}, Part::code, Impact::behaviour, "tokenization_x.py", "remote code"},
      {"heads stored twice are halved", {{"config.json", R"({"model_type":"llama","hidden_size":64,"num_attention_heads":8,"num_key_value_heads":4,"num_hidden_layers":2})"}},
       {{"config.json", R"({"model_type":"llama","hidden_size":64,"num_attention_heads":8,"num_key_value_heads":2,"num_hidden_layers":2})"}}, Part::config, Impact::behaviour,
       "/num_key_value_heads", "KV cache"},
      {"a second length contradicts the first", {{"config.json", R"({"model_type":"cohere","max_position_embeddings":8192})"}},
       {{"config.json", R"({"model_type":"cohere","max_position_embeddings":8192,"model_max_length":131072})"}}, Part::config, Impact::resource, "/model_max_length", "engines disagree"},
      {"a scaling type that loaders do not know yet", {{"config.json", R"({"model_type":"phi3","rope_scaling":{"type":"su","long_factor":[1.0]}})"}},
       {{"config.json", R"({"model_type":"phi3","rope_scaling":{"type":"longrope","long_factor":[1.1]}})"}}, Part::config, Impact::breaking, "/rope_scaling/type", "longrope"},
      {"rope scaling becomes null", {{"config.json", R"({"model_type":"internlm2","rope_scaling":{"type":"dynamic","factor":2.0}})"}},
       {{"config.json", R"({"model_type":"internlm2","rope_scaling":null})"}}, Part::config, Impact::resource, "/rope_scaling", "positions"},
      {"a model type gets its library name", {{"config.json", R"({"model_type":"RefinedWebModel","architectures":["RWForCausalLM"],"n_layer":32})"}},
       {{"config.json", R"({"model_type":"falcon","architectures":["FalconForCausalLM"],"num_hidden_layers":32})"}}, Part::config, Impact::breaking, "/model_type",
       "from RefinedWebModel to falcon"},
      {"a processor class is renamed with the library", {{"preprocessor_config.json", R"({"image_processor_type":"Qwen2_5_VLImageProcessor"})"}},
       {{"preprocessor_config.json", R"({"image_processor_type":"Qwen2VLImageProcessor"})"}}, Part::processor, Impact::behaviour, "/image_processor_type", "another class"},
      {"a config asks loaders to trust its code", {{"sentence_bert_config.json", R"({"max_seq_length":8192})"}},
       {{"sentence_bert_config.json", R"({"max_seq_length":8192,"tokenizer_args":{"trust_remote_code":true}})"}}, Part::config, Impact::security, "/tokenizer_args", "run the repository's code"},
      {"a head is tied that was not", {{"config.json", R"({"tie_word_embeddings":false})"}}, {{"config.json", R"({"tie_word_embeddings":true})"}}, Part::config, Impact::resource,
       "/tie_word_embeddings", "head"},
      {"a wrong size is corrected", {{"config.json", R"({"model_type":"qwen2","hidden_size":3584,"num_hidden_layers":28})"}},
       {{"config.json", R"({"model_type":"qwen2","hidden_size":5120,"num_hidden_layers":64})"}}, Part::config, Impact::behaviour, "/hidden_size", "from 3584 to 5120"},
      {"a licence opens", {{"README.md", "---\nlicense: cc-by-nc-4.0\n---\n"}}, {{"README.md", "---\nlicense: apache-2.0\n---\n"}}, Part::card, Impact::legal, "/license",
       "from cc-by-nc-4.0 to apache-2.0"},
      {"licence terms of a company are dropped", {{"README.md", "---\nlicense: other\nlicense_name: some-community\n---\n"}}, {{"README.md", "---\nlicense: apache-2.0\n---\n"}}, Part::card,
       Impact::legal, "/license", "more permissive"},
      {"a licence closes", {{"README.md", "---\nlicense: mit\n---\n"}}, {{"README.md", "---\nlicense: cc-by-nc-4.0\n---\n"}}, Part::card, Impact::legal, "/license",
       "commercial use is no longer permitted"},
  };
}

TEST(Cases, EachIncidentIsFoundInItsPartAndSaysWhatBroke) {
  for (const Incident& incident : incidents()) {
    SCOPED_TRACE(incident.name);
    const Diff found = diff(snapshot_of(incident.before), snapshot_of(incident.after));
    bool said = false;
    for (const Change& change : found.parts) {
      if (change.part != incident.part) continue;
      EXPECT_GE(change.impact, incident.at_least);
      said = std::any_of(change.findings.begin(), change.findings.end(), [&](const Finding& finding) {
        return (finding.pointer ? *finding.pointer : finding.path) == incident.pointer && finding.meaning.find(incident.words) != std::string::npos;
      });
    }
    EXPECT_TRUE(said) << json::write(to_json(found), json::Style::pretty);
  }
}

TEST(Cases, AConfigSavedAgainByANewerLibraryIsNoise) {
  const Diff found = diff(snapshot_of({{"config.json", R"({"model_type":"qwen2_vl","rope_scaling":{"type":"mrope","mrope_section":[16,24,24]}})"}}),
                          snapshot_of({{"config.json", R"({"model_type":"qwen2_vl","rope_scaling":{"mrope_section":[16,24,24],"rope_type":"default","type":"default"}})"}}));
  EXPECT_EQ(found.impact, Impact::cosmetic) << json::write(to_json(found), json::Style::pretty);
}

TEST(Cases, ThePlanMovesWithTheHeads) {
  const char* before = R"({"model_type":"llama","architectures":["LlamaForCausalLM"],"hidden_size":16384,"intermediate_size":53248,"num_hidden_layers":126,
                           "num_attention_heads":128,"num_key_value_heads":16,"vocab_size":128256,"max_position_embeddings":131072,"torch_dtype":"bfloat16"})";
  std::string after = before;
  after.replace(after.find("\"num_key_value_heads\":16"), 24, "\"num_key_value_heads\":8");
  const Diff found = diff(snapshot_of({{"config.json", before}}), snapshot_of({{"config.json", after}}));
  const auto derived = [&](const char* side) { return found.plan.find(side)->find("derived")->integer().value_or(0); };
  EXPECT_EQ(derived("after") - derived("before"), -4'227'858'432);
  EXPECT_EQ(found.plan.find("before")->find("kv_per_token")->find("vllm")->integer(), 1'032'192);
  EXPECT_EQ(found.plan.find("after")->find("kv_per_token")->find("vllm")->integer(), 516'096);
}

}  // namespace
}  // namespace modelwatch::advisories
