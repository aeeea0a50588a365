#include "estimator/blocks/mtp.h"

#include "estimator/blocks/linear.h"

namespace modelwatch::estimator {
namespace {

std::vector<Node> module_nodes(const Shell& s, MtpTables own, std::vector<Node> block) {
  const Count d = s.hidden;
  std::vector<Node> nodes;
  nodes.push_back(norm_node("MTP_{}_HiddenNorm", "hnorm", d, s.style, Stream::residual, 0));
  if (own.embedding) nodes.push_back(embedding_node("MTP_{}_Embedding", "embed_tokens", s.vocabulary, d));
  nodes.push_back(norm_node("MTP_{}_EmbeddingNorm", "enorm", d, s.style, Stream::residual, 0));
  nodes.push_back(concat_node(d));
  nodes.push_back(linear_node("MTP_{}_Projection", "eh_proj", 2 * d, d, false));
  for (Node& node : block) nodes.push_back(std::move(node));
  nodes.push_back(norm_node("MTP_{}_Norm", "shared_head.norm", d, s.style, Stream::residual, 1));
  Node head = linear_node("MTP_{}_Head", "shared_head.head", d, s.vocabulary, false, Role::head);
  if (!own.head) head.tensors.clear();
  nodes.push_back(std::move(head));
  return nodes;
}

}  // namespace

Node concat_node(Count width) {
  Node node;
  node.kind = NodeKind::concatenate;
  node.row = "MTP_{}_Concat";
  node.label = "Concatenate";
  node.width = 2 * width;
  return node;
}

void add_mtp(Model& model, const Shell& shell, Count modules, MtpTables own, const std::function<std::vector<Node>()>& block) {
  if (!modules) return;
  Section& section = model.stack(
      Part::mtp, shell.prefix + shell.layers + ".", min(modules, 64), [](std::int64_t) { return 0; },
      [&](std::int64_t) { return module_nodes(shell, own, block()); });
  section.first = shell.depth;
}

}  // namespace modelwatch::estimator
