#pragma once
#include <functional>
#include <string>
#include <vector>

#include "estimator/graph/model.h"

namespace modelwatch::estimator {

/// One line of the structure table.
struct Row {
  std::string name;
  std::string label;
  std::string shape;           ///< without the batch, with a leading 1: "1 × 2048 × 4096"
  const Node* node = nullptr;  ///< null for inputs, outputs and what only joins
  Part part = Part::text;
};

/// The table at `tokens` tokens: input, embedding, RoPE, the image tower, layer by layer, MTP modules, final norm, head,
/// outputs. `tokens` 0 = the config's maximum context (2,048 where it declares none).
std::vector<Row> structure_rows(const Model& model, Count tokens = 0);

/// Rows that are neither inputs nor outputs.
std::int64_t layer_count(const std::vector<Row>& rows);

}  // namespace modelwatch::estimator
