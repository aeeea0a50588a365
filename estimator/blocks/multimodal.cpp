#include "estimator/blocks/multimodal.h"

#include <algorithm>
#include <optional>

#include "estimator/blocks/linear.h"
#include "estimator/blocks/vision.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

std::optional<bool> outer_tying(const Config& root) {
  constexpr std::string_view key = "tie_word_embeddings";
  const json::Value* written = root.raw(key);
  if (written && !written->is_null()) return root.flag(key);
  return std::nullopt;
}

std::string renamed(const std::string& name, const std::string& prefix, const std::string& head) {
  if (name.starts_with("model.")) return prefix + name.substr(6);
  if (name.starts_with("lm_head")) return head + name.substr(7);
  return name;
}

Node* head_node(Model& model) {
  for (Section& section : model.sections)
    for (Node& node : section.kinds.front())
      if (node.row == "LM_Head") return &node;
  return nullptr;
}

void retie(Model& model, bool tied) {
  Node* head = head_node(model);
  if (!head || model.tied_head == tied) return;
  model.tied_head = tied;
  if (tied) {
    std::erase_if(head->tensors, [](const Tensor& tensor) { return tensor.role == Role::head; });
    model.tied.emplace_back("lm_head.weight", "model.embed_tokens.weight");
  } else {
    add_linear(head->tensors, "lm_head", model.hidden, model.vocabulary, false, Role::head);
    std::rotate(head->tensors.begin(), head->tensors.end() - 1, head->tensors.end());
    model.tied.clear();
  }
}

}  // namespace

void add_language_model(Model& outer, const Config& root, const Config& text, const std::string& prefix, const std::string& head) {
  const Family* family = find_family(text.type());
  if (!family) {
    outer.unknown = "No family reads the language model's model_type \"" + text.type() + "\": no number is given rather than a guess.";
    return;
  }
  Model inner = family->build(text);
  if (inner.unknown) outer.unknown = inner.unknown;
  if (const auto tied = outer_tying(root)) retie(inner, *tied);
  for (Section& section : inner.sections) {
    section.prefix = renamed(section.prefix, prefix, head);
    if (section.prefix.empty())
      for (std::vector<Node>& nodes : section.kinds)
        for (Node& node : nodes)
          for (Tensor& tensor : node.tensors) tensor.name = renamed(tensor.name, prefix, head);
    outer.sections.push_back(std::move(section));
  }
  for (const auto& [name, to] : inner.tied) outer.tied.emplace_back(renamed(name, prefix, head), renamed(to, prefix, head));
  outer.notes.insert(outer.notes.end(), inner.notes.begin(), inner.notes.end());
  outer.hidden = inner.hidden, outer.vocabulary = inner.vocabulary, outer.context = inner.context, outer.rotary = inner.rotary;
  outer.tied_head = inner.tied_head, outer.soft_capped = inner.soft_capped, outer.mtp_cached = inner.mtp_cached;
}

Count add_vision_tower(Model& outer, const Config& vision, const std::string& prefix) {
  const std::string& type = vision.type();
  const bool pooled = vision.flag("vision_use_head", type.starts_with("siglip"));
  if (type == "clip_vision_model") return add_clip_vision(outer, prefix, vision, {});
  if (type == "siglip_vision_model") return add_clip_vision(outer, prefix, vision, {.class_token = false, .pooling_head = pooled});
  if (type == "siglip2_vision_model")
    return add_clip_vision(outer, prefix, vision, {.class_token = false, .flat_patches = true, .pooling_head = pooled});
  if (type == "pixtral") return add_pixtral_vision(outer, prefix, vision);
  if (type == "internvl_vision") return add_internvl_vision(outer, prefix, vision);
  outer.unknown = "No reading of the image tower's model_type \"" + type + "\": no number is given rather than a guess.";
  return 1;
}

Node two_linear_projector(Count in, Count hidden, Count out, bool bias) {
  Node node;
  node.kind = NodeKind::linear;
  node.row = "Projector";
  node.label = "MLP";
  node.width = out;
  add_linear(node.tensors, "linear_1", in, hidden, bias);
  add_linear(node.tensors, "linear_2", hidden, out, bias);
  return node;
}

}  // namespace modelwatch::estimator
