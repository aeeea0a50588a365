#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "estimator/error.h"

namespace modelwatch::estimator {

/// One tensor of a weights file.
struct StoredTensor {
  std::string name;
  std::string dtype;  ///< as the file writes it: "BF16", "F8_E4M3", "U8"; for GGUF "Q4_K"
  std::vector<std::int64_t> shape;
  std::int64_t bytes = 0;

  std::int64_t scalars() const;  ///< product of the shape, 0 where it is beyond 2^40: no tensor is
};

/// The tensor table at the start of a safetensors file: eight bytes of length, then JSON. `bytes` may end after it.
/// Errors: too short, longer than 100 MB, no table, a shape that is none.
Result<std::vector<StoredTensor>> read_safetensors_header(std::string_view bytes);

}  // namespace modelwatch::estimator
