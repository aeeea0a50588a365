#pragma once
#include <span>
#include <string_view>

#include "estimator/config/config.h"
#include "estimator/graph/model.h"

namespace modelwatch::estimator {

/// An architecture family: the model types it reads, and how a config of them becomes a model.
///
/// To add one, write families/NAME.cpp that defines `extern const Family NAME_family`; the build finds the file and
/// enters it into the registry. A family is data and small functions over the blocks of estimator/blocks.
struct Family {
  std::string_view name;
  std::span<const std::string_view> types;  ///< values of model_type
  /// Reads what it needs from `root`; what cannot be used is kept in root.problem(). Never throws.
  Model (*build)(const Config& root);
};

/// Every family, in the order of their files' names.
std::span<const Family* const> families();
/// The family of a model type, or null.
const Family* find_family(std::string_view model_type);

}  // namespace modelwatch::estimator
