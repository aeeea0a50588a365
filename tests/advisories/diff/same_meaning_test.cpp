#include <gtest/gtest.h>

#include "advisories/diff/diff.h"
#include "estimator/json/writer.h"
#include "tests/support/snapshots.h"

namespace modelwatch::advisories {
namespace {

using testing::Files;
using testing::snapshot_of;

struct Pair {
  const char* name;
  const char* path;
  const char* before;
  const char* after;
};

std::string print(const Diff& diff) { return json::write(to_json(diff), json::Style::pretty); }

class SameMeaning : public ::testing::TestWithParam<Pair> {};

// Nothing above cosmetic, and the same state: a tool that pinned the earlier revision misses nothing.
TEST_P(SameMeaning, IsCosmeticAndTheSameState) {
  const Pair& pair = GetParam();
  const Snapshot before = snapshot_of({{pair.path, pair.before}}), after = snapshot_of({{pair.path, pair.after}});
  const Diff found = diff(before, after);
  EXPECT_EQ(found.impact, Impact::cosmetic) << print(found);
  EXPECT_FALSE(found.parts.empty()) << "bytes that differ are at least one cosmetic finding";
  EXPECT_EQ(states(before), states(after));
}

INSTANTIATE_TEST_SUITE_P(
    Pairs, SameMeaning,
    ::testing::Values(
        Pair{"dtype", "config.json", R"({"torch_dtype":"bfloat16"})", R"({"dtype":"bfloat16"})"},
        Pair{"dtype_prefix", "config.json", R"({"torch_dtype":"torch.float16"})", R"({"torch_dtype":"float16"})"},
        Pair{"rope_parameters", "config.json", R"({"model_type":"llama","rope_theta":500000.0,"rope_scaling":{"type":"linear","factor":8}})",
             R"({"model_type":"llama","rope_parameters":{"rope_theta":500000,"rope_type":"linear","factor":8.0}})"},
        Pair{"rope_null", "config.json", R"({"model_type":"qwen2","rope_theta":1000000.0,"rope_scaling":null})",
             R"({"model_type":"qwen2","rope_parameters":{"rope_theta":1e6,"rope_type":"default"}})"},
        Pair{"rope_by_layer_kind", "config.json",
             R"({"model_type":"gemma3_text","rope_theta":2e6,"rope_local_base_freq":20000,"rope_scaling":{"rope_type":"linear","factor":8.0}})",
             R"({"model_type":"gemma3_text","rope_parameters":{"full_attention":{"rope_theta":2000000.0,"rope_type":"linear","factor":8.0},
                 "sliding_attention":{"rope_theta":20000,"rope_type":"default"}}})"},
        Pair{"layers_by_another_name", "config.json", R"({"model_type":"gpt2","n_layer":24})", R"({"model_type":"gpt2","num_hidden_layers":24})"},
        Pair{"stop_id_as_list", "config.json", R"({"eos_token_id":2})", R"({"eos_token_id":[2]})"},
        Pair{"stop_ids_in_another_order", "generation_config.json", R"({"eos_token_id":[1,107]})", R"({"eos_token_id":[107,1]})"},
        Pair{"default_of_the_type", "config.json", R"({"model_type":"llama"})", R"({"model_type":"llama","rms_norm_eps":1e-6,"attention_bias":false})"},
        Pair{"default_of_every_config", "config.json", R"({"model_type":"mystery"})",
             R"({"model_type":"mystery","output_attentions":false,"return_dict":true,"pruned_heads":{},"repetition_penalty":1.0})"},
        Pair{"rope_base_default", "config.json", R"({"model_type":"llama"})", R"({"model_type":"llama","rope_theta":10000.0})"},
        Pair{"null_is_absent", "config.json", R"({"model_type":"llama","rope_scaling":null,"pad_token_id":null})", R"({"model_type":"llama"})"},
        Pair{"all_heads_share", "config.json", R"({"num_attention_heads":32,"num_key_value_heads":32})", R"({"num_attention_heads":32,"num_key_value_heads":null})"},
        Pair{"head_size_derived", "config.json", R"({"model_type":"llama","hidden_size":4096,"num_attention_heads":32})",
             R"({"model_type":"llama","hidden_size":4096,"num_attention_heads":32,"head_dim":128})"},
        Pair{"nested_part", "config.json", R"({"model_type":"gemma3","text_config":{"torch_dtype":"bfloat16","hidden_size":640}})",
             R"({"model_type":"gemma3","text_config":{"dtype":"bfloat16","hidden_size":640,"model_type":"gemma3_text"}})"},
        Pair{"numbers", "config.json", R"({"rope_theta":1000000,"big":100000000000000000000})", R"({"rope_theta":1e6,"big":1e20})"},
        Pair{"order_and_space", "config.json", R"({"hidden_size":1,"vocab_size":2})", "{\n  \"vocab_size\": 2,\r\n  \"hidden_size\": 1\n}\n"},
        Pair{"escapes", "tokenizer_config.json", R"({"bos_token":"\u2581x"})", R"({"bos_token":"▁x"})"},
        Pair{"bookkeeping", "config.json", R"({"_name_or_path":"/tmp/x","transformers_version":"4.40.0","hidden_size":8})",
             R"({"transformers_version":"4.57.1","hidden_size":8,"unsloth_version":"2025.1"})"},
        Pair{"generation_defaults", "generation_config.json", R"({"eos_token_id":2,"temperature":1.0,"transformers_version":"4.40.0"})",
             R"({"eos_token_id":2,"do_sample":false,"max_length":20,"num_beams":1})"},
        Pair{"adapter_modules_as_a_set", "adapter_config.json", R"({"r":8,"target_modules":["q_proj","v_proj"],"modules_to_save":null})",
             R"({"r":8,"target_modules":["v_proj","q_proj"],"use_dora":false,"rank_pattern":{},"peft_version":"0.17.0"})"},
        Pair{"special_token_as_object", "special_tokens_map.json", R"({"eos_token":"</s>"})",
             R"({"eos_token":{"content":"</s>","lstrip":false,"normalized":false,"rstrip":false,"single_word":false}})"},
        Pair{"padding_side_written", "tokenizer_config.json", R"({"tokenizer_class":"Qwen2Tokenizer"})",
             R"({"tokenizer_class":"Qwen2Tokenizer","padding_side":"right","truncation_side":"right"})"},
        Pair{"no_length_limit", "tokenizer_config.json", R"({"bos_token":"<s>"})", R"({"bos_token":"<s>","model_max_length":1000000000000000019884624838656})"},
        Pair{"named_tokens_listed_again", "tokenizer_config.json", R"({"bos_token":"<s>","additional_special_tokens":["<s>"]})", R"({"bos_token":"<s>"})"},
        Pair{"quantisation_record", "config.json", R"({"quantization_config":{"quant_method":"gptq","bits":4,"damp_percent":0.1}})",
             R"({"quantization_config":{"quant_method":"gptq","bits":4,"dataset":"c4"}})"},
        Pair{"card_text", "README.md", "---\nlicense: mit\n---\n# A\nmodle\n", "---\nlicense: \"mit\"\ntags: [a]\n---\n# A\nmodel\n"},
        Pair{"license_layout", "LICENSE", "MIT License\r\n\r\nPermission\r\n", "MIT License\n\nPermission\n\n"},
        Pair{"python_comments", "modeling_x.py", "import torch\nx = 1  # one\n", "import torch\n\n# more\nx = 1\n"},
        Pair{"requirements_order", "requirements.txt", "torch==2.0\nnumpy\n", "# pinned\nnumpy\ntorch == 2.0\n"}),
    [](const auto& test) { return test.param.name; });

class OtherMeaning : public ::testing::TestWithParam<Pair> {};

// The counterparts: near misses of the rules above must not be calmed.
TEST_P(OtherMeaning, IsFoundAndAnotherState) {
  const Pair& pair = GetParam();
  const Snapshot before = snapshot_of({{pair.path, pair.before}}), after = snapshot_of({{pair.path, pair.after}});
  const Diff found = diff(before, after);
  EXPECT_GT(found.impact, Impact::cosmetic) << print(found);
  EXPECT_NE(states(before), states(after));
}

INSTANTIATE_TEST_SUITE_P(
    Pairs, OtherMeaning,
    ::testing::Values(
        Pair{"dtype_value", "config.json", R"({"torch_dtype":"bfloat16"})", R"({"dtype":"float32"})"},
        Pair{"rope_theta_lost_in_the_move", "config.json", R"({"model_type":"llama","rope_theta":500000.0,"rope_scaling":{"type":"linear","factor":8}})",
             R"({"model_type":"llama","rope_parameters":{"rope_type":"linear","factor":8}})"},
        Pair{"default_of_another_type", "config.json", R"({"model_type":"mistral"})", R"({"model_type":"mistral","sliding_window":null})"},
        Pair{"same_key_where_it_is_no_default", "config.json", R"({"model_type":"llama"})", R"({"model_type":"llama","rms_norm_eps":1e-5})"},
        Pair{"no_synonym_in_this_type", "config.json", R"({"model_type":"llama","num_hidden_layers":24})", R"({"model_type":"llama","n_layer":24})"},
        Pair{"second_stop_id", "config.json", R"({"eos_token_id":2})", R"({"eos_token_id":[2,3]})"},
        Pair{"top_k_is_no_default_to_vllm", "generation_config.json", R"({"eos_token_id":2})", R"({"eos_token_id":2,"top_k":50})"},
        Pair{"left_is_no_default", "tokenizer_config.json", R"({"tokenizer_class":"Qwen2Tokenizer"})", R"({"tokenizer_class":"Qwen2Tokenizer","padding_side":"left"})"},
        Pair{"special_token_that_strips", "special_tokens_map.json", R"({"mask_token":"<mask>"})", R"({"mask_token":{"content":"<mask>","lstrip":true}})"},
        Pair{"big_integers", "config.json", R"({"auto_map":{},"x":100000000000000000000})", R"({"auto_map":{},"x":100000000000000000001})"},
        Pair{"string_is_no_comment", "modeling_x.py", "x = '# a'\n", "x = '# b'\n"},
        Pair{"version_of_a_package", "requirements.txt", "torch==2.0\n", "torch==2.1\n"},
        Pair{"list_order_of_layers", "config.json", R"({"layer_types":["full_attention","sliding_attention"]})", R"({"layer_types":["sliding_attention","full_attention"]})"}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace modelwatch::advisories
