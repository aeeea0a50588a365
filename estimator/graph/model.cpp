#include "estimator/graph/model.h"

#include <map>

namespace modelwatch::estimator {

Section& Model::add(Part part, std::string prefix, std::vector<Node> nodes) {
  Section& section = sections.emplace_back();
  section.part = part;
  section.prefix = std::move(prefix);
  section.kinds.push_back(std::move(nodes));
  section.layers = {0};
  return section;
}

Section& Model::stack(Part part, std::string prefix, Count layers, const std::function<std::int64_t(std::int64_t)>& kind_of,
                      const std::function<std::vector<Node>(std::int64_t)>& build) {
  Section& section = sections.emplace_back();
  section.part = part;
  section.prefix = std::move(prefix);
  section.indexed = true;
  std::map<std::int64_t, std::uint32_t> seen;
  section.layers.reserve(static_cast<std::size_t>(layers.value()));
  for (std::int64_t i = 0; i < layers.value(); ++i) {
    const auto [it, is_new] = seen.try_emplace(kind_of(i), static_cast<std::uint32_t>(section.kinds.size()));
    if (is_new) section.kinds.push_back(build(i));
    section.layers.push_back(it->second);
  }
  return section;
}

void for_each_node(const Section& section, const std::function<void(const Node&, Count)>& visit) {
  std::vector<std::int64_t> layers(section.kinds.size());
  for (const std::uint32_t kind : section.layers) ++layers[kind];
  for (std::size_t kind = 0; kind < section.kinds.size(); ++kind)
    for (const Node& node : section.kinds[kind]) visit(node, layers[kind]);
}

void for_each_tensor(const Section& section, const std::function<void(const Node&, const Tensor&, Count)>& visit) {
  for_each_node(section, [&](const Node& node, Count layers) {
    for (const Tensor& tensor : node.tensors) visit(node, tensor, layers);
  });
}

}  // namespace modelwatch::estimator
