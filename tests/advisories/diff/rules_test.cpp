#include <gtest/gtest.h>

#include <algorithm>

#include "advisories/diff/diff.h"
#include "estimator/json/writer.h"
#include "tests/support/snapshots.h"

namespace modelwatch::advisories {
namespace {

using testing::snapshot_of;

struct Case {
  const char* path;
  const char* before;
  const char* after;
  const char* rule;
  Impact impact;
  const char* words;  ///< must stand in the sentence
};

// One row per kind of rule: what loaders do with the key decides, whatever the repository.
const Case kCases[] = {
    // identity and code
    {"config.json", R"({"model_type":"llama"})", R"({"model_type":"qwen2"})", "config.model_type.replaced", Impact::breaking, "from llama to qwen2"},
    {"config.json", R"({"a":1})", R"({"a":1,"architectures":["X"]})", "config.architectures.added", Impact::behaviour, "can now load"},
    {"config.json", R"({"architectures":["X"]})", R"({"architectures":["Y","X"]})", "config.architectures.replaced", Impact::breaking, "now Y"},
    {"config.json", R"({"architectures":["X"]})", R"({"architectures":["X","Y"]})", "config.architectures.replaced", Impact::behaviour, "first entry"},
    {"config.json", R"({"architectures":["X"]})", R"({})", "config.architectures.removed", Impact::breaking, "refuse"},
    {"config.json", R"({})", R"({"auto_map":{"AutoModel":"modeling_x.X"}})", "config.auto_map.added", Impact::security, "trust_remote_code"},
    {"config.json", R"({"auto_map":{"AutoModel":"modeling_x.X"}})", R"({"auto_map":{"AutoModel":"other/repo--modeling_x.X"}})", "config.auto_map.entry.replaced",
     Impact::security, "other/repo"},
    {"config.json", R"({"auto_map":{"AutoModel":"modeling_x.X"}})", R"({})", "config.auto_map.removed", Impact::security, "library's own class"},
    {"config.json", R"({"ckpt_path":"model.safetensors"})", R"({"ckpt_path":"model.pt"})", "config.ckpt_path.replaced", Impact::security, "unpickle"},
    // shape
    {"config.json", R"({"num_key_value_heads":16})", R"({"num_key_value_heads":8})", "config.num_key_value_heads.replaced", Impact::breaking, "KV cache"},
    {"config.json", R"({"n_kv_heads":16})", R"({"num_key_value_heads":16})", "config.num_key_value_heads.added", Impact::breaking, "key/value heads"},
    {"config.json", R"({"tie_word_embeddings":true})", R"({"tie_word_embeddings":false})", "config.tie_word_embeddings.replaced", Impact::breaking, "tied"},
    {"config.json", R"({"text_config":{"hidden_size":4}})", R"({"text_config":{"hidden_size":8}})", "config.hidden_size.replaced", Impact::breaking, "from 4 to 8"},
    {"config.json", R"({"xyz_dim":4})", R"({"xyz_dim":8})", "config.any_shape.replaced", Impact::breaking, "xyz_dim"},
    // attention, rope, length
    {"config.json", R"({"sliding_window":4096})", R"({"sliding_window":null})", "config.sliding_window.replaced", Impact::behaviour, "long inputs"},
    {"config.json", R"({"num_experts_per_tok":4})", R"({"num_experts_per_tok":2})", "config.num_experts_per_tok.replaced", Impact::behaviour, "experts"},
    {"config.json", R"({"rope_theta":10000})", R"({"rope_theta":500000})", "config.rope_theta.replaced", Impact::behaviour, "from 10000 to 500000"},
    {"config.json", R"({})", R"({"rope_theta":500000})", "config.rope_theta.added", Impact::breaking, "silently took their default"},
    {"config.json", R"({"rope_scaling":{"type":"su"}})", R"({"rope_scaling":{"type":"longrope"}})", "config.rope_scaling.rope_type.replaced", Impact::breaking, "longrope"},
    {"config.json", R"({"rope_scaling":null})", R"({"rope_scaling":{"type":"ntk_home"}})", "config.rope_scaling.replaced", Impact::breaking, "ntk_home"},
    {"config.json", R"({"rope_scaling":null})", R"({"rope_scaling":"dynamic"})", "config.rope_scaling.replaced", Impact::breaking, "object or null"},
    {"config.json", R"({"rope_scaling":{"type":"linear","factor":2}})", R"({"rope_scaling":{"type":"linear","factor":4}})", "config.rope_scaling.any.replaced", Impact::behaviour, "from 2 to 4"},
    {"config.json", R"({"max_position_embeddings":4096})", R"({"max_position_embeddings":8192})", "config.max_position_embeddings.replaced", Impact::resource, "more memory"},
    {"config.json", R"({"max_position_embeddings":4096,"rope_theta":1})", R"({"max_position_embeddings":8192,"rope_theta":2})", "config.max_position_embeddings.replaced", Impact::behaviour, "together"},
    {"config.json", R"({"model_type":"bert","max_position_embeddings":256})", R"({"model_type":"bert","max_position_embeddings":1024})", "config.max_position_embeddings.replaced", Impact::breaking, "table of positions"},
    // tokens and labels
    {"config.json", R"({"eos_token_id":2})", R"({"eos_token_id":7})", "config.eos_token_id.replaced", Impact::breaking, "no longer stops at 2"},
    {"config.json", R"({"eos_token_id":[2,7]})", R"({"eos_token_id":2})", "config.eos_token_id.narrowed", Impact::breaking, "no longer stops at 7"},
    {"config.json", R"({"pad_token_id":0})", R"({"pad_token_id":1})", "config.pad_token_id.replaced", Impact::breaking, "from 0 to 1"},
    {"config.json", R"({})", R"({"pad_token_id":0})", "config.pad_token_id.added", Impact::behaviour, "where there was none"},
    {"config.json", R"({"vocab_size":10})", R"({"vocab_size":10,"pad_token_id":10})", "config.pad_token_id.added", Impact::breaking, "outside the vocabulary"},
    {"config.json", R"({"id2label":{"0":"a"}})", R"({"id2label":{"0":"b"}})", "config.id2label.entry.replaced", Impact::breaking, "label"},
    // quantisation
    {"config.json", R"({})", R"({"quantization_config":{"quant_method":"fp8"}})", "config.quantization_config.added", Impact::breaking, "fp8"},
    {"config.json", R"({"quantization_config":{"quant_method":"fp8"}})", R"({})", "config.quantization_config.removed", Impact::breaking, "plain tensors"},
    {"config.json", R"({"quantization_config":{"bits":4}})", R"({"quantization_config":{"bits":8}})", "config.quantization_config.any.replaced", Impact::breaking, "from 4 to 8"},
    {"config.json", R"({"quantization_config":{"bnb_4bit_compute_dtype":"float16"}})", R"({"quantization_config":{"bnb_4bit_compute_dtype":"bfloat16"}})",
     "config.quantization_config.compute.replaced", Impact::resource, "run time"},
    // computation
    {"config.json", R"({"torch_dtype":"float32"})", R"({"torch_dtype":"bfloat16"})", "config.dtype.replaced", Impact::resource, "1/2 of the memory"},
    {"config.json", R"({"use_cache":false})", R"({"use_cache":true})", "config.use_cache.replaced", Impact::resource, "KV cache"},
    {"config.json", R"({"hidden_act":"gelu"})", R"({"hidden_act":"silu"})", "config.hidden_act.replaced", Impact::breaking, "every layer"},
    {"config.json", R"({"attention_dropout":0.0,"x":0})", R"({"attention_dropout":0.1,"x":0})", "config.dropout.replaced", Impact::behaviour, "fine-tuning"},
    {"config.json", R"({"frobnicate":1})", R"({"frobnicate":2})", "config.unlisted.replaced", Impact::unknown, "no rule knows"},
    {"config.json", R"({"auto_map":{},"frobnicate":1})", R"({"auto_map":{},"frobnicate":2})", "config.unlisted.replaced", Impact::behaviour, "own code"},
    // generation
    {"generation_config.json", R"({"eos_token_id":128001})", R"({"eos_token_id":[128001,128009]})", "generation.eos_token_id.extended", Impact::behaviour, "scalar became a list"},
    {"generation_config.json", R"({"temperature":0.6})", R"({"temperature":0.7})", "generation.temperature.replaced", Impact::behaviour, "from 0.6 to 0.7"},
    {"generation_config.json", R"({"max_length":4096})", R"({})", "generation.max_length.removed", Impact::breaking, "20 tokens"},
    {"generation_config.json", R"({})", R"({"top_k":50})", "generation.top_k.added", Impact::behaviour, "vLLM"},
    // processor, adapter
    {"preprocessor_config.json", R"({"image_processor_type":"A"})", R"({"image_processor_type":"B"})", "processor.processor_class.replaced", Impact::breaking, "from A to B"},
    {"preprocessor_config.json", R"({"size":224})", R"({"size":336})", "processor.size.replaced", Impact::breaking, "another size"},
    {"preprocessor_config.json", R"({"resample":2})", R"({"resample":3})", "processor.image_mean.replaced", Impact::behaviour, "other pixels"},
    {"preprocessor_config.json", R"({})", R"({"image_processor_class":"image_processing_x.X"})", "processor.processor_class.added", Impact::security, "module of the repository"},
    {"adapter_config.json", R"({"r":16,"lora_alpha":16})", R"({"r":8,"lora_alpha":16})", "adapter.r.replaced", Impact::breaking, "from 16 to 8"},
    {"adapter_config.json", R"({"r":16,"lora_alpha":16})", R"({"r":16,"lora_alpha":8})", "adapter.lora_alpha.replaced", Impact::behaviour, "from 1.0 to 0.5"},
    {"adapter_config.json", R"({"base_model_name_or_path":"a/b"})", R"({"base_model_name_or_path":"/home/x"})", "adapter.base_model_name_or_path.replaced", Impact::breaking, "machine"},
    {"adapter_config.json", R"({"use_rslora":false})", R"({"use_rslora":true})", "adapter.use_rslora.replaced", Impact::breaking, "sqrt(rank)"},
    // tokenizer settings
    {"tokenizer_config.json", R"({"padding_side":"left"})", R"({"padding_side":"right"})", "tokenizer.padding_side.replaced", Impact::breaking, "degrades"},
    {"tokenizer_config.json", R"({"eos_token":"</s>"})", R"({"eos_token":"<|im_end|>"})", "tokenizer.special_token.replaced", Impact::breaking, "from </s> to <|im_end|>"},
    {"tokenizer_config.json", R"({"model_max_length":512})", R"({"model_max_length":8192})", "tokenizer.model_max_length.replaced", Impact::resource, "from 512 to 8192"},
    {"tokenizer_config.json", R"({"add_bos_token":true})", R"({"add_bos_token":false})", "tokenizer.add_bos_token.replaced", Impact::breaking, "loses the start token"},
    {"special_tokens_map.json", R"({"additional_special_tokens":["<a>"]})", R"({"additional_special_tokens":["<a>","<b>"]})",
     "tokenizer.additional_special_tokens.extended", Impact::behaviour, "more tokens"},
    // pipelines
    {"config_sentence_transformers.json", R"({"prompts":{"query":"Q: "}})", R"({"prompts":{"query":"q: "}})", "config.prompts.replaced", Impact::behaviour, "embeddings"},
    {"1_Pooling/config.json", R"({"pooling_mode_cls_token":true})", R"({"pooling_mode_cls_token":false})", "config.pooling_mode.replaced", Impact::behaviour, "embeddings"},
    {"vae/config.json", R"({"_class_name":"AutoencoderKL","scaling_factor":0.18})", R"({"_class_name":"AutoencoderKL","scaling_factor":0.13})", "config.latents.replaced", Impact::behaviour, "latents"},
    {"scheduler/scheduler_config.json", R"({"prediction_type":"epsilon"})", R"({"prediction_type":"v_prediction"})", "config.schedule.replaced", Impact::behaviour, "seed"},
    {"model_index.json", R"({"vae":["diffusers","A"]})", R"({"vae":["diffusers","B"]})", "config.component.replaced", Impact::breaking, "other classes"},
    {"quantize_config.json", R"({"bits":4})", R"({"bits":8})", "config.quantization_config.any.replaced", Impact::breaking, "from 4 to 8"},
};

TEST(Rules, EachKindOfChangeHasItsGradeAndSaysWhatBreaks) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(std::string(c.path) + " " + c.before + " -> " + c.after);
    const Diff found = diff(snapshot_of({{c.path, c.before}}), snapshot_of({{c.path, c.after}}));
    ASSERT_EQ(found.parts.size(), 1u);
    const auto& findings = found.parts[0].findings;
    const auto at = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.rule == c.rule; });
    ASSERT_NE(at, findings.end()) << json::write(to_json(found), json::Style::pretty);
    EXPECT_EQ(at->impact, c.impact) << at->meaning;
    EXPECT_NE(at->meaning.find(c.words), std::string::npos) << at->meaning;
    EXPECT_EQ(at->path, c.path);
  }
}

TEST(Rules, AnIdIsNamedByTheTokenizer) {
  const char* tokens = R"({"added_tokens_decoder":{"128001":{"content":"<|end_of_text|>"},"128009":{"content":"<|eot_id|>"}}})";
  const Diff found = diff(snapshot_of({{"generation_config.json", R"({"eos_token_id":128001})"}, {"tokenizer_config.json", tokens}}),
                          snapshot_of({{"generation_config.json", R"({"eos_token_id":128009})"}, {"tokenizer_config.json", tokens}}));
  ASSERT_EQ(found.parts.size(), 1u);
  EXPECT_EQ(found.parts[0].findings[0].meaning,
            "stop ids changed from 128001 (<|end_of_text|>) to 128009 (<|eot_id|>): generation no longer stops at 128001 (<|end_of_text|>)");
}

TEST(Rules, APresentFileIsJudgedByWhatItHolds) {
  const auto impact = [](const testing::Files& before, const testing::Files& after) { return diff(snapshot_of(before), snapshot_of(after)).impact; };
  const testing::Files none, config{{"config.json", R"({"model_type":"llama","hidden_size":8,"vocab_size":9,"architectures":["L"]})"}};
  EXPECT_EQ(impact(none, config), Impact::resource);
  EXPECT_EQ(impact(config, none), Impact::breaking);
  EXPECT_EQ(impact(none, {{"config.json", R"({"model_type":"llama"})"}}), Impact::cosmetic);
  EXPECT_EQ(impact(none, {{"config.json", R"({"auto_map":{"AutoModel":"m.M"}})"}}), Impact::security);
  EXPECT_EQ(impact(none, {{"generation_config.json", R"({"temperature":0.6})"}}), Impact::behaviour);
  EXPECT_EQ(impact(none, {{"tokenizer_config.json", R"({"model_max_length":512})"}}), Impact::resource);
  EXPECT_EQ(impact(none, {{"1_Pooling/config.json", R"({"pooling_mode_cls_token":true})"}}), Impact::behaviour);
  EXPECT_EQ(impact(config, {{"sub/config.json", config.at("config.json")}}), Impact::breaking) << "moved away from where loaders look";
}

}  // namespace
}  // namespace modelwatch::advisories
