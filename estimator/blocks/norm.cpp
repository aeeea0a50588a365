#include "estimator/blocks/norm.h"

#include "estimator/blocks/linear.h"

namespace modelwatch::estimator {
namespace {

bool is_layer_norm(NormStyle style) {
  return style == NormStyle::layer || style == NormStyle::layer_weight || style == NormStyle::layer_free;
}

}  // namespace

std::string_view norm_label(NormStyle style) { return is_layer_norm(style) ? "LayerNorm" : "RMSNorm"; }

void add_norm(std::vector<Tensor>& to, std::string_view name, Count width, NormStyle style) {
  if (style == NormStyle::rms_free || style == NormStyle::layer_free) return;
  add_tensor(to, joined(name, "weight"), {width}, Role::norm);
  if (style == NormStyle::layer) add_tensor(to, joined(name, "bias"), {width}, Role::norm);
}

// What autograd keeps, line by line of the classes:
//   rms    x (fp32: the residual itself, or a copy of a bf16 branch), rsqrt (4 bytes), and the normalised value that the
//          weight multiplies: fp32 behind a residual, bf16 behind a branch.
//   plus   the same, but the product is taken in fp32 on both.
//   layer  x in fp32, mean and rstd (8 bytes).
// A frozen weight needs no normalised value. Every linear that reads the fp32 output keeps its own bf16 cast.
Saved norm_saved(NormStyle style, Stream stream, Count width, Count readers) {
  const Count casts = readers * 2 * width;
  if (is_layer_norm(style)) return {4 * width + 8 + casts, 4 * width + 8 + casts, 6 * width + 8, 8 * width + 8};
  const bool free = style == NormStyle::rms_free;
  const Count normalised = free ? Count(0) : (style == NormStyle::rms && stream == Stream::branch ? 2 : 4) * width;
  return {4 * width + 4 + normalised + casts, 4 * width + 4 + casts, 4 * width + 4 + (free ? Count(0) : 2 * width) + 2 * width,
          8 * width + 4 + (free ? Count(0) : 4 * width)};
}

Node norm_node(std::string row, std::string_view name, Count width, NormStyle style, Stream stream, Count readers) {
  Node node;
  node.kind = NodeKind::norm;
  node.row = std::move(row);
  node.label = norm_label(style);
  node.width = width;
  add_norm(node.tensors, name, width, style);
  node.saved = norm_saved(style, stream, width, readers);
  return node;
}

}  // namespace modelwatch::estimator
