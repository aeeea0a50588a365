#pragma once
#include <string>
#include <vector>

#include "estimator/json/value.h"

namespace modelwatch::advisories {

/// How many, and the first few by name.
struct Counted {
  std::size_t count = 0;
  std::vector<std::string> examples;  ///< at most 20

  void add(std::string example) {
    if (count++ < kMaxExamples) examples.push_back(std::move(example));
  }
  /// For those whose example is costly to write.
  template <class Example>
  void add_with(Example example) {
    if (count++ < kMaxExamples) examples.push_back(example());
  }
  json::Object to_json() const { return {{"count", count}, {"examples", json::Array(examples.begin(), examples.end())}}; }

  static constexpr std::size_t kMaxExamples = 20;
};

}  // namespace modelwatch::advisories
