#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace modelwatch::advisories {

/// Token → id as a file lists it, in the file's order: the tokens' bytes one behind another, 12 bytes a row beside them.
class Vocabulary {
 public:
  static constexpr std::size_t kMaxTokens = 8'000'000, kMaxBytes = 1u << 30;
  struct Entry {
    std::string_view token;
    std::uint32_t id = 0;
    float score = 0;  ///< Unigram: logarithm of the probability; 0 elsewhere
  };

  /// False where a bound is met; nothing is added then.
  bool add(std::string_view token, std::uint32_t id);
  bool add(std::string_view token, std::uint32_t id, float score);

  std::size_t size() const { return rows_.size(); }
  bool empty() const { return rows_.empty(); }
  Entry operator[](std::size_t i) const;
  /// The same tokens with the same ids and scores in the same order.
  bool operator==(const Vocabulary& other) const;
  /// Hex; equal where the tokens, ids and scores are the same, in whatever order.
  std::string digest() const;

 private:
  struct Row {
    std::uint32_t end;  // of the token's bytes; they begin where the row before ends
    std::uint32_t id;
    bool operator==(const Row&) const = default;
  };
  std::string bytes_;
  std::vector<Row> rows_;
  std::vector<float> scores_;  // empty, or as long as rows_
};

/// Pairs that are merged, by rank.
class Merges {
 public:
  static constexpr std::size_t kMaxMerges = 16'000'000;
  struct Pair {
    std::string_view left, right;
    std::string_view both;  ///< left and right behind one another
  };

  bool add(std::string_view left, std::string_view right);
  /// "left right", split at its only space; false where there is none or another one.
  bool add(std::string_view written);

  std::size_t size() const { return rows_.size(); }
  bool empty() const { return rows_.empty(); }
  Pair operator[](std::size_t rank) const;
  bool operator==(const Merges& other) const;
  std::string digest() const;

 private:
  struct Row {
    std::uint32_t end, left_end;
    bool operator==(const Row&) const = default;
  };
  std::string bytes_;
  std::vector<Row> rows_;
};

}  // namespace modelwatch::advisories
