#pragma once
#include <cstdint>
#include <functional>
#include <optional>

#include "advisories/diff/counted.h"
#include "advisories/manifest/vocabulary.h"

namespace modelwatch::advisories {

/// The difference of two vocabularies by token, in O(n log n) whatever the order of the files.
struct VocabularyChanges {
  Counted added, removed;  ///< "token (id)"
  Counted reassigned;      ///< "token: 5 → 6"
  Counted rescored;        ///< "token: -3.2 → -3.5"
  std::optional<std::int64_t> shift;  ///< what every reassigned id was shifted by, where it is one number
  std::uint32_t highest_added = 0;    ///< id
  std::size_t rehomed = 0;            ///< went to the added tokens of the same file, or came from there, with the same id

  bool none() const { return added.count + removed.count + reassigned.count + rescored.count == 0; }
};
/// Whether the revision before or after has this token with this id outside of its vocabulary.
using KnownElsewhere = std::function<bool(std::string_view token, std::uint32_t id, bool after)>;
VocabularyChanges compare(const Vocabulary& before, const Vocabulary& after, const KnownElsewhere& elsewhere = {});

/// The difference of two lists of merges by pair. Moved ones are as few as can be: those outside of a longest common
/// subsequence, which for lists without repeats costs O(n log n).
struct MergeChanges {
  Counted added, removed;      ///< "left right (rank)"
  Counted moved;               ///< among the others, those of another order
  bool appended_only = false;  ///< nothing but new merges behind all that were there

  bool none() const { return added.count + removed.count + moved.count == 0; }
};
MergeChanges compare(const Merges& before, const Merges& after);

/// A token as a person can read it: control characters and bytes that are not UTF-8 escaped, long ones cut.
std::string shown(std::string_view token);

}  // namespace modelwatch::advisories
