#include "advisories/diff/rules/classes.h"
#include "advisories/diff/rules/judges.h"
#include "advisories/diff/rules/tables.h"

namespace modelwatch::advisories {
namespace {

constexpr std::string_view kSkipped = "other modules are taken to be unquantised, so their weights are misread or missing";
constexpr std::string_view kRecord = "a record of how the weights were calibrated";
constexpr std::string_view kKernel = "another kernel is used: speed and memory change";

// quantization_config of config.json, the files quantize_config.json (GPTQ, AWQ) and hf_quant_config.json (ModelOpt).
const KeyRule kQuantisation_[] = {
    {"quantization_config|compression_config|quantization|text_config/quantization_config", "quantisation", kQuantisation, {}, judge_quantisation},
    {"quantization_config/quant_method|quant_method|quantization/quant_algo", "quantisation method", kQuantisation,
     "without a method they know, loaders cannot tell how the weights are stored and refuse"},
    {"quantization_config/modules_to_not_convert|quantization_config/ignore|quantization_config/exclude|quantization_config/ignored_layers|"
     "quantization_config/llm_int8_skip_modules|quantization/exclude_modules|quantization_config/exclude_modules|modules_to_not_convert|quantization_config/dynamic",
     "modules left unquantised", kQuantisation, kSkipped, nullptr, "quantization_config.ignore"},
    {"quantization_config/_load_in_4bit|quantization_config/_load_in_8bit|quantization_config/transformers_version|quantization_config/producer|"
     "quantization_config/producer/*|quantization_config/quantization_status|quantization_config/version_info|quantization_config/library_version|"
     "quantization_config/global_compression_ratio|producer|producer/*|quantized_with|model_name_or_path|quantization_config/model_name_or_path|"
     "quantization_config/model_file_base_name|model_file_base_name|quantization_config/meta|quantization_config/meta/*|quantization_config/provider",
     "record", kBookkeeping, {}, nullptr, "quantization_config.record"},
    {"quantization_config/dataset|quantization_config/damp_percent|quantization_config/model_seqlen|quantization_config/batch_size|"
     "quantization_config/true_sequential|quantization_config/tokenizer|quantization_config/block_name_to_quantize|quantization_config/pad_token_id|"
     "quantization_config/seqlen|quantization_config/iters|quantization_config/nsamples|quantization_config/lr|quantization_config/autoround_version|"
     "quantization_config/enable_*|quantization_config/low_gpu_mem_usage|quantization_config/module_name_preceding_first_block|quantization_config/static_groups|"
     "damp_percent|true_sequential|static_groups|dataset|seqlen|nsamples", "calibration", kBookkeeping, kRecord, nullptr, "quantization_config.calibration"},
    {"quantization_config/use_exllama|quantization_config/disable_exllama|quantization_config/exllama_config|quantization_config/exllama_config/*|"
     "quantization_config/use_cuda_fp16|quantization_config/cache_block_outputs|quantization_config/max_input_length|quantization_config/backend|"
     "quantization_config/do_fuse|quantization_config/fuse_max_seq_len|quantization_config/modules_to_fuse", "kernel choice", kMemory, kKernel, nullptr,
     "quantization_config.kernel"},
    {"quantization_config/kv_cache_scheme|quantization_config/kv_cache_scheme/*|quantization/kv_cache_quant_algo|quantization_config/kv_cache_quant_algo",
     "quantised cache", kMemory, "the KV cache takes another size and precision", nullptr, "quantization_config.kv_cache"},
    {"quantization_config/bnb_4bit_compute_dtype|quantization_config/bnb_4bit_quant_storage|quantization_config/llm_int8_enable_fp32_cpu_offload|"
     "quantization_config/llm_int8_threshold|quantization_config/llm_int8_has_fp16_weight", "computation in bitsandbytes", kMemory,
     "memory and rounding at run time change", nullptr, "quantization_config.compute"},
    {"quantization_config/per_channel|quantization_config/reduce_range|quantization_config/per_model_config|quantization_config/per_model_config/*|"
     "quantization_config/*/per_channel|quantization_config/*/reduce_range|quantization_config/*/per_model_config|quantization_config/*/per_model_config/*",
     "quantisation of the ONNX files", kMemory, "the ONNX files are of another precision or size; no loader reads this record", nullptr, "quantization_config.onnx"},
    {"quantization_config/*|compression_config/*|quantization/*|quantized_layers|quantized_layers/*", "quantisation parameter", kQuantisation, {}, nullptr, "quantization_config.any"},
};

}  // namespace

const RuleTable kQuantisationRules = kQuantisation_;

}  // namespace modelwatch::advisories
