#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "advisories/manifest/snapshot.h"

namespace modelwatch::advisories {

/// One tensor of a safetensors file. Views into its table.
struct Tensor {
  std::string_view name;
  std::string_view dtype;  ///< as the header writes it: "BF16", "F8_E4M3", …
  std::span<const std::uint64_t> shape;
  std::uint64_t bytes = 0;
  std::uint32_t file = 0;  ///< number given to TensorTable::read

  std::uint64_t elements() const;  ///< product of the shape, at most 2^64 - 1
};

/// The tensors of one set of files, sorted by name: names, dtypes and shapes in arenas, about 60 bytes a tensor.
class TensorTable {
 public:
  static constexpr std::size_t kMaxTensors = 2'000'000;

  /// Reads the header at the start of a safetensors file of `file_size` bytes, for file number `file`. What is wrong with
  /// it, as a person reads it ("header of 12 bytes is cut", "data ends at 96, the file at 80 bytes"); empty where nothing is.
  /// The tensors read before the fault are kept.
  std::string read(const Bytes& header, std::uint64_t file_size, std::uint32_t file);
  /// Sorts; to be called once, after the last read. Names that occur twice are kept twice.
  void finish();

  std::size_t size() const { return rows_.size(); }
  Tensor operator[](std::size_t i) const;
  /// The tensor of this name, or none.
  std::optional<Tensor> find(std::string_view name) const;

 private:
  friend class HeaderReader;
  struct Row {
    std::uint64_t bytes;
    std::uint32_t name, name_size, shape, file;
    std::uint16_t rank, dtype;
  };
  std::string names_;
  std::vector<std::uint64_t> shapes_;
  std::vector<std::string> dtypes_;
  std::vector<Row> rows_;
};

}  // namespace modelwatch::advisories
