#pragma once
#include <functional>
#include <vector>

#include "estimator/blocks/decoder.h"

namespace modelwatch::estimator {

/// Modules for multi-token prediction as deepseek_v3 lays them out: further layers after the last, each with two norms,
/// a projection of 2·D to D and a norm before the head: 2·D² + 3·D + one block, + V·D for each table of its own.
struct MtpTables {
  bool embedding = false;
  bool head = false;
};
void add_mtp(Model& model, const Shell& shell, Count modules, MtpTables own, const std::function<std::vector<Node>()>& block);
/// The hidden state beside the next token's embedding.
Node concat_node(Count width);

}  // namespace modelwatch::estimator
