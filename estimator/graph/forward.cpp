#include "estimator/graph/forward.h"

namespace modelwatch::estimator {
namespace {

std::string named(const Node& node, std::size_t layer) {
  std::string name = node.row;
  if (const std::size_t at = name.find("{}"); at != std::string::npos) name.replace(at, 2, std::to_string(layer + 1));
  return name;
}

std::optional<std::string> node_fault(const Node& node, Count residual) {
  const auto say = [](Count value) { return std::to_string(value.value()); };
  if (node.kind == NodeKind::attention && node.kv_heads && node.heads % node.kv_heads != Count(0))
    return say(node.heads) + " query heads do not divide among " + say(node.kv_heads) + " key-value heads";
  const bool is_branch = node.kind == NodeKind::attention || node.kind == NodeKind::mixer || node.kind == NodeKind::ffn || node.kind == NodeKind::moe;
  if (is_branch && residual && node.width != residual)
    return "returns a width of " + say(node.width) + " to a residual of " + say(residual);
  for (const Tensor& tensor : node.tensors)
    if (tensor.experts > Count(1) && tensor.experts_active < Count(1)) return "a token is routed to none of " + say(tensor.experts) + " experts";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> forward_fault(const Model& model) {
  for (const Section& section : model.sections) {
    const Count residual = section.part == Part::text || section.part == Part::mtp ? model.hidden : Count(0);
    for (std::size_t i = 0; i < section.layers.size(); ++i) {
      if (i > 0 && section.layers[i] == section.layers[i - 1]) continue;
      for (const Node& node : section.kinds[section.layers[i]])
        if (auto fault = node_fault(node, residual)) return named(node, i) + ": " + *fault;
    }
  }
  return std::nullopt;
}

}  // namespace modelwatch::estimator
