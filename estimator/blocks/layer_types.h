#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "estimator/config/config.h"

namespace modelwatch::estimator {

/// What kind each layer is: layer_types where the config has it, else by the family's rule. Published lists may be
/// shorter or longer than the layer count: a missing entry follows the rule, a surplus one is ignored.
class LayerTypes {
 public:
  using Rule = std::function<std::string(std::int64_t layer)>;
  LayerTypes(const Config& text, Count depth, Rule rule, std::string_view key = "layer_types")
      : written_(text.words(key)), rule_(std::move(rule)), depth_(depth) {}

  std::string at(std::int64_t layer) const {
    const auto i = static_cast<std::size_t>(layer);
    return i < written_.size() ? written_[i] : rule_(layer);
  }
  bool is(std::int64_t layer, std::string_view type) const { return at(layer) == type; }
  /// Whether a list was written whose length is not the number of layers.
  bool mismatched() const { return !written_.empty() && Count(static_cast<std::int64_t>(written_.size())) != depth_; }

 private:
  std::vector<std::string> written_;
  Rule rule_;
  Count depth_;
};

}  // namespace modelwatch::estimator
