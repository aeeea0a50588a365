#include "advisories/diff/rules/classes.h"
#include "advisories/diff/rules/judges.h"
#include "advisories/diff/rules/tables.h"

namespace modelwatch::advisories {
namespace {

bool is_shadowed(const Subject& subject, const json::Value& document) {
  return subject.key == "feature_extractor_type" && document.find("image_processor_type");
}

/// AutoImageProcessor reads image_processor_type, else feature_extractor_type, else takes the class of the model type;
/// "image_processor" and the *_class spellings are names that only old versions, or none, look at.
void judge_processor_class(const Subject& subject, Verdict& verdict) {
  const std::string* now = subject.edit.after ? subject.edit.after->string() : nullptr;
  const bool current = subject.key.ends_with("_type") || subject.key == "processor_class";
  if (now && now->find('.') != now->npos) {
    verdict.impact = Impact::security;
    verdict.consequence = "it names a class in a module of the repository, which runs when remote code is trusted";
  } else if (!current && (subject.edit.added() || subject.edit.removed())) {
    verdict.impact = Impact::cosmetic;
    verdict.consequence = "a name that current loaders do not read";
  } else if (is_shadowed(subject, subject.around.before) && is_shadowed(subject, subject.around.after)) {
    verdict.impact = Impact::cosmetic;
    verdict.consequence = "an older name beside image_processor_type, which loaders prefer";
  } else if (subject.edit.added()) {
    verdict.impact = Impact::behaviour;
    verdict.consequence = "AutoProcessor takes this class from now on, and the one of the model type before";
  }
}

constexpr KeyClass kPixels{"pixels", Impact::behaviour, Impact::behaviour, Impact::behaviour,
                           "the model sees other pixels for the same image", "compare outputs on your own images"};
constexpr KeyClass kAudio{"audio features", Impact::breaking, Impact::breaking, Impact::breaking,
                          "the model sees features it was not trained on, or of another shape", "take it together with the weights"};
constexpr std::string_view kInputSize = "inputs get another size, which the model's tensors and token counts must match";

const KeyRule kProcessor_[] = {
    {"image_processor_type|feature_extractor_type|processor_class|image_processor_class|feature_extractor_class|image_processor|feature_extractor|"
     "video_processor_type|tokenizer_class", "processor class", kIdentity, "AutoProcessor builds another class, or fails where its version has none", judge_processor_class,
     "processor_class"},
    {"auto_map", "code pointers", kCodePointer, {}, judge_code_pointer},
    {"auto_map/*", "code pointer", kCodePointer, {}, judge_code_pointer, "auto_map.entry"},
    {"size|size/*|crop_size|crop_size/*|image_size|pad_size|pad_size/*|max_image_size|max_image_size/*|min_image_size|patch_size|temporal_patch_size|merge_size|"
     "spatial_merge_size|*/size|*/size/*|*/crop_size/*", "input size", kShape, kInputSize, nullptr, "size"},
    {"min_pixels|max_pixels|images_kwargs/*|videos_kwargs/*|video_kwargs/*|num_frames|fps|max_frames|min_frames", "limits on images and video", kPixels,
     "images or video become another number of tokens"},
    {"image_mean|image_std|mean|std|rescale_factor|resample|interpolation|do_*|background_color|image_grid_pinpoints|min_dynamic_patch|max_dynamic_patch|"
     "dynamic_hd|num_crops|max_slice_nums|image_aspect_ratio|pan_and_scan_*|max_image_tiles|return_row_col_info|offset|rescale_offset", "pixel values", kPixels},
    {"sampling_rate|n_fft|hop_length|chunk_length|feature_size|n_samples|nb_max_frames|num_mel_bins|mel_floor|win_length|padding_value|dither|fft_window|preemphasis|"
     "mel_filters|return_attention_mask|frame_length|padding_side", "audio features", kAudio},
    {"image_token|video_token|audio_token|image_seq_length|image_token_id|num_image_tokens|num_img_tokens|vision_feature_select_strategy|"
     "num_additional_image_tokens|image_seq_len|audio_seq_length|image_tag|im_start_token|im_end_token|slice_start_token|slice_end_token|unk_token|im_id_start|"
     "im_id_end|slice_mode|use_image_id|image_feature_size|version", "placeholders", kTokens, "placeholders in the prompt no longer match what the model expects"},
    {"chat_template", "template in the processor", kBehaviour, "prompts are written in another format"},
    {"tokenizer|tokenizer/*|text_kwargs/*|audio_kwargs/*", "defaults of the processor", kBehaviour},
    {"_processor_class|_valid_kwargs_names|processor_version|transformers_version|_valid_processor_keys|_auto_class|name_or_path|valid_processor_keys",
     "record", kBookkeeping, {}, nullptr, "record"},
    {"*", "processor parameter", kPixels, {}, nullptr, "any"},
};

}  // namespace

const RuleTable kProcessorRules = kProcessor_;

}  // namespace modelwatch::advisories
