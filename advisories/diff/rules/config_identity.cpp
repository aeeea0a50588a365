#include "advisories/diff/rules/classes.h"
#include "advisories/diff/rules/judges.h"
#include "advisories/diff/rules/tables.h"

namespace modelwatch::advisories {
namespace {

constexpr std::string_view kUnreadTrust = "no loader takes consent from a config, but scripts that read it do";

const KeyRule kIdentity_[] = {
    {"model_type", "model type", kIdentity},
    {"architectures", "model classes", kIdentity, {}, judge_architectures},
    {"is_encoder_decoder", "encoder-decoder", kIdentity, "generation and the class chosen for it depend on it"},
    {"tokenizer_class", "tokenizer class", kIdentity, "AutoTokenizer builds that class where tokenizer_config.json names none"},
    {"_class_name", "class", kIdentity},
    {"library_name|model_class", "library", kIdentity},
    {"auto_map", "code pointers", kCodePointer, {}, judge_code_pointer},
    {"auto_map/*", "code pointer", kCodePointer, {}, judge_code_pointer, "auto_map.entry"},
    {"custom_pipelines|custom_pipelines/*", "pipeline code", kCodePointer, {}, judge_code_pointer},
    {"trust_remote_code", "consent to remote code", kCodePointer, kUnreadTrust},
    {"ckpt_path|checkpoint_path|weights_path|model_path|pretrained_path|*_ckpt_path|*_checkpoint_path|*_weights_file", "file to load", kIdentity,
     "code that follows it loads another file or none", judge_file_name},
};

}  // namespace

const RuleTable kIdentityRules = kIdentity_;

}  // namespace modelwatch::advisories
