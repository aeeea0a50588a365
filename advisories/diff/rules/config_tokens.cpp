#include "advisories/diff/rules/classes.h"
#include "advisories/diff/rules/judges.h"
#include "advisories/diff/rules/tables.h"

namespace modelwatch::advisories {
namespace {

const KeyRule kTokens_[] = {
    {"eos_token_id", "stop ids", kTokens, {}, judge_stop_ids},
    {"pad_token_id", "padding id", kTokens, "batches are padded with, and masks taken from, the wrong id", judge_token_id},
    {"bos_token_id|decoder_start_token_id", "start id", kTokens, "generation starts from another token", judge_token_id},
    {"sep_token_id|cls_token_id|mask_token_id|unk_token_id", "special id", kTokens, {}, judge_token_id},
    {"image_token_id|image_token_index|video_token_id|video_token_index|audio_token_id|audio_token_index|boi_token_index|eoi_token_index|"
     "media_placeholder_token_id", "placeholder id", kTokens, "images, video or audio are put in at another token, or not at all", judge_token_id},
    {"image_seq_length|mm_tokens_per_image|image_token_size|audio_seq_length|num_image_token", "tokens per image", kTokens,
     "the number of placeholders no longer matches what the processor writes"},
    {"id2label|label2id", "label map", kLabels},
    {"id2label/*", "label", kLabels, {}, nullptr, "id2label.entry"},
    {"label2id/*", "label index", kLabels, {}, nullptr, "label2id.entry"},
    {"problem_type", "problem type", kBehaviour, "pipelines turn scores into probabilities by it (softmax or sigmoid) and training picks its loss"},
    {"task_specific_params|task_specific_params/*", "task defaults", kGenerationDefault, "pipelines of that task take their defaults from it"},
    {"prefix", "prompt prefix", kGenerationDefault},
    {"*_token_id|*_token_index|*_token_ids", "token id", kTokens, {}, judge_token_id},
};

}  // namespace

const RuleTable kTokenRules = kTokens_;

}  // namespace modelwatch::advisories
