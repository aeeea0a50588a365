#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "advisories/manifest/snapshot.h"
#include "estimator/json/value.h"

namespace modelwatch::advisories {

/// An index of shards (model.safetensors.index.json), streamed: half a million tensors make 60 MB.
class WeightIndex {
 public:
  static constexpr std::size_t kMaxShards = 10'000, kMaxTensors = 4'000'000;
  struct Entry {
    std::string_view tensor;
    std::string_view file;
  };

  /// What was wrong with the text is told by `trouble`.
  static WeightIndex read(const Bytes& bytes);

  std::size_t size() const { return rows_.size(); }
  Entry operator[](std::size_t i) const;  ///< by tensor
  const std::vector<std::string>& files() const { return files_; }

  /// Everything beside weight_map, as a document.
  json::Value rest;
  std::string trouble;

 private:
  friend class IndexReader;
  struct Row {
    std::uint32_t name, name_size, file;
  };
  std::string names_;
  std::vector<std::string> files_;
  std::vector<Row> rows_;
};

}  // namespace modelwatch::advisories
