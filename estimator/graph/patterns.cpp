#include "estimator/graph/patterns.h"

namespace modelwatch::estimator {
namespace {

/// "{0..2,4..6}" for the layers of one kind; "{7}" is written "7".
std::string index_set(const Section& section, std::uint32_t kind) {
  std::string out;
  bool several = false;
  const std::int64_t first = section.first.value();
  for (std::size_t i = 0; i < section.layers.size(); ++i) {
    if (section.layers[i] != kind) continue;
    std::size_t end = i;
    while (end + 1 < section.layers.size() && section.layers[end + 1] == kind) ++end;
    if (!out.empty()) out += ',';
    out += std::to_string(first + static_cast<std::int64_t>(i));
    if (end > i) out += ".." + std::to_string(first + static_cast<std::int64_t>(end));
    several = several || end > i || out.find(',') != std::string::npos;
    i = end;
  }
  return several ? "{" + out + "}" : out;
}

/// `name` with its "{}" replaced.
std::string with_index(const std::string& name, const std::string& index) {
  const std::size_t at = name.find("{}");
  return at == std::string::npos ? name : name.substr(0, at) + index + name.substr(at + 2);
}

void visit_tensor(const std::string& prefix, const Tensor& tensor,
                  const std::function<void(std::string, const Tensor&)>& visit) {
  if (tensor.name.find("{}") == std::string::npos) return visit(prefix + tensor.name, tensor);
  for (std::int64_t copy = 0; copy < tensor.copies.value(); ++copy)
    visit(prefix + with_index(tensor.name, std::to_string(copy)), tensor);
}

}  // namespace

std::vector<TensorPattern> tensor_patterns(const Model& model) {
  std::vector<TensorPattern> patterns;
  for (const Section& section : model.sections) {
    if (section.part == Part::mtp) continue;
    std::vector<std::int64_t> layers(section.kinds.size());
    for (const std::uint32_t kind : section.layers) ++layers[kind];
    for (std::uint32_t kind = 0; kind < section.kinds.size(); ++kind) {
      const std::string prefix = section.indexed ? section.prefix + index_set(section, kind) + section.infix : section.prefix;
      for (const Node& node : section.kinds[kind])
        for (const Tensor& tensor : node.tensors) {
          const std::string last = std::to_string(tensor.copies.value() - 1);
          const std::string copies = tensor.copies == Count(1) ? "0" : "{0.." + last + "}";
          patterns.push_back({prefix + with_index(tensor.name, copies), tensor.shape, tensor.copies * layers[kind]});
        }
    }
  }
  return patterns;
}

void for_each_name(const Model& model, TensorSet set, const std::function<void(std::string, const Tensor&)>& visit) {
  for (const Section& section : model.sections) {
    if ((section.part == Part::mtp) != (set == TensorSet::mtp)) continue;
    for (std::size_t i = 0; i < section.layers.size(); ++i) {
      std::string prefix = section.prefix;
      if (section.indexed) prefix += std::to_string(section.first.value() + static_cast<std::int64_t>(i)) + section.infix;
      for (const Node& node : section.kinds[section.layers[i]]) {
        if (set != TensorSet::buffers)
          for (const Tensor& tensor : node.tensors) visit_tensor(prefix, tensor, visit);
        if (set != TensorSet::parameters)
          for (const Tensor& buffer : node.buffers) visit_tensor(prefix, buffer, visit);
      }
    }
  }
}

}  // namespace modelwatch::estimator
