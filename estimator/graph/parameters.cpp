#include "estimator/graph/parameters.h"

namespace modelwatch::estimator {
namespace {

std::string kind_of(const Section& section, const Node& node, const Tensor& tensor) {
  if (section.part != Part::text) return std::string(part_name(section.part));
  switch (node.kind) {
    case NodeKind::embedding: return "embedding";
    case NodeKind::norm: return "norm";
    case NodeKind::attention: return "attention";
    case NodeKind::mixer: return "mixer";
    case NodeKind::ffn: return "mlp";
    case NodeKind::moe: return "moe";
    default: return tensor.role == Role::head || tensor.role == Role::bias ? "head" : "other";
  }
}

}  // namespace

std::string_view part_name(Part part) {
  switch (part) {
    case Part::text: return "text";
    case Part::encoder: return "encoder";
    case Part::vision: return "vision";
    case Part::audio: return "audio";
    case Part::projector: return "projector";
    case Part::mtp: return "mtp";
  }
  return "";
}

Parameters count_parameters(const Model& model) {
  Parameters p;
  bool first_table = true;
  for (const Section& section : model.sections) {
    const bool mtp = section.part == Part::mtp;
    for_each_tensor(section, [&](const Node& node, const Tensor& tensor, Count layers) {
      const Count scalars = tensor.scalars() * layers;
      if (mtp) {
        p.mtp += scalars;
        return;
      }
      p.derived += scalars;
      p.active += tensor.active() * layers;
      p.tensors += tensor.copies * layers;
      p.by_kind[kind_of(section, node, tensor)] += scalars;
      if (first_table && tensor.role == Role::embedding && section.part == Part::text) {
        p.embedding = scalars;
        first_table = false;
      }
    });
    for_each_node(section, [&](const Node& node, Count layers) {
      for (const Tensor& buffer : node.buffers) (mtp ? p.mtp : p.buffers) += buffer.scalars() * layers;
    });
  }
  return p;
}

}  // namespace modelwatch::estimator
