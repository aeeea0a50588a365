#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "estimator/json/value.h"
#include "tests/hub/git/content.h"

namespace modelwatch::testhub {

struct Tensor {
  std::string name;
  std::string dtype;  ///< F32, BF16, I8, …
  std::vector<std::uint64_t> shape;
};

/// A valid safetensors file holding these tensors one after the other. `seed` chooses the bytes, so that two
/// seeds give two files of equal header and size. Up to 1 MiB of data is written out; above, the file is
/// hollow (Content::hollow). Throws std::invalid_argument on an unknown dtype.
Content safetensors_file(const std::vector<Tensor>& tensors, std::uint64_t seed = 0);

/// The header object of a safetensors file; nothing where the bytes are none.
std::optional<json::Value> safetensors_header(const Content& content);

}  // namespace modelwatch::testhub
