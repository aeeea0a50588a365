#include <algorithm>

#include "estimator/blocks/decoder.h"
#include "estimator/blocks/linear.h"
#include "estimator/blocks/seq2seq.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

struct Kin {
  std::string_view type;
  Bart style;
};
const Kin kKin[] = {
    {"bart", {}},
    {"mbart", {.before = true, .final_norm = true}},
    {"plbart", {}},
    {"mvp", {}},
    {"blenderbot", {.before = true, .embedding_norm = false, .final_norm = true, .position_offset = 0}},
    {"blenderbot-small", {.position_offset = 0}},
    {"pegasus", {.before = true, .embedding_norm = false, .final_norm = true, .position_offset = 0}},
    {"marian", {.embedding_norm = false, .position_offset = 0}},
};

/// whisper's decoder alone: no bias on keys, learned positions of max_target_positions.
const Bart kWhisper{.before = true, .embedding_norm = false, .final_norm = true, .position_offset = 0, .k_bias = false};

/// Two convolutions over a spectrogram, then an encoder; a decoder that reads it.
Model whisper(const Config& root) {
  if (root.architecture().ends_with("ForCausalLM")) return bart_decoder(root, kWhisper);
  Model model;
  const bool base = head_of(root) == Head::base;
  const std::string prefix = base ? "" : "model.";
  const Count width = root.size("d_model"), vocabulary = root.size("vocab_size");
  Node convolutions;
  convolutions.row = "Audio_Convolutions", convolutions.label = "Convolution", convolutions.width = width;
  add_tensor(convolutions.tensors, "conv1.weight", {width, root.size("num_mel_bins"), 3});
  add_tensor(convolutions.tensors, "conv1.bias", {width}, Role::bias);
  add_tensor(convolutions.tensors, "conv2.weight", {width, width, 3});
  add_tensor(convolutions.tensors, "conv2.bias", {width}, Role::bias);
  add_bart_stack(model, root, prefix + "encoder.", false, kWhisper,
                 {std::move(convolutions), embedding_node("Audio_Positions", "embed_positions", root.size("max_source_positions"), width)});
  add_bart_stack(model, root, prefix + "decoder.", true, kWhisper,
                 {embedding_node("Embedding", "embed_tokens", vocabulary, width),
                  embedding_node("Positions", "embed_positions", root.size("max_target_positions"), width)});
  if (!base) {
    Node head = linear_node("LM_Head", "proj_out", width, vocabulary, false, Role::head);
    model.tied_head = tied(root, root, true);
    if (model.tied_head) {
      head.tensors.clear();
      model.tied.emplace_back("proj_out.weight", "model.decoder.embed_tokens.weight");
    }
    model.add(Part::text, "", {std::move(head)});
    model.vocabulary = vocabulary;
  }
  model.hidden = width;
  model.context = root.count("max_target_positions", 0);
  return model;
}

Model build(const Config& root) {
  if (root.type() == "whisper") return whisper(root);
  const Kin* kin = std::find_if(std::begin(kKin), std::end(kKin), [&](const Kin& k) { return k.type == root.type(); });
  if (root.type() == "mvp" && root.flag("use_prompt")) {
    Model model;
    model.unknown = "An mvp with prompts: no number is given rather than a guess.";
    return model;
  }
  const std::string name = root.architecture();
  if (name.ends_with("ForCausalLM")) return bart_decoder(root, kin->style);
  if (name.empty() || name.ends_with("ForConditionalGeneration") || name.ends_with("MTModel") || name.ends_with("Model"))
    return bart_model(root, kin->style);
  Model model;
  model.unknown = "No reading of the class " + name + ": no number is given rather than a guess.";
  return model;
}

constexpr std::string_view kTypes[] = {
    "bart", "mbart", "plbart", "mvp", "blenderbot", "blenderbot-small", "pegasus", "whisper", "marian",
};

}  // namespace

extern const Family bart_family{"bart", kTypes, build};

}  // namespace modelwatch::estimator
