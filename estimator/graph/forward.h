#pragma once
#include <optional>
#include <string>

#include "estimator/graph/model.h"

namespace modelwatch::estimator {

/// Whether a forward pass goes through: every branch returns the width of the residual it is added to, query heads divide
/// among key-value heads, a token finds as many experts as it asks for. The reason names the node; none = it passes.
std::optional<std::string> forward_fault(const Model& model);

}  // namespace modelwatch::estimator
