#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace modelwatch::estimator {

/// One entry of a safetensors header.
struct StoredTensor {
  std::string name;
  std::string dtype;  ///< as the header writes it: "BF16", "F8_E4M3", "U8", …
  std::vector<std::int64_t> shape;
};

}  // namespace modelwatch::estimator
