#pragma once
#include <vector>

#include "estimator/graph/rows.h"

namespace modelwatch::estimator {

/// What the rules look at: the model and its rows, made once.
struct Inspection {
  const Model& model;
  std::vector<Row> rows;
};

}  // namespace modelwatch::estimator
