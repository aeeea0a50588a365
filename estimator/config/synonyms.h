#pragma once
#include <span>
#include <string_view>

namespace modelwatch::estimator {

/// Names that published configurations use for `key` beside the ones their class declares: remote code and old files.
/// Empty where there are none.
std::span<const std::string_view> other_names(std::string_view key);

}  // namespace modelwatch::estimator
