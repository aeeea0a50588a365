#pragma once
#include <string>
#include <vector>

#include "estimator/json/value.h"

namespace modelwatch::advisories {

/// One value that differs between two documents. The pointers are into the documents compared, which must outlive it.
struct Edit {
  std::string pointer;                 ///< RFC 6901
  const json::Value* before = nullptr;  ///< null where nothing stood there
  const json::Value* after = nullptr;

  bool added() const { return !before; }
  bool removed() const { return !after; }
};

/// The structural difference, by pointer. Objects are compared member by member, arrays whole; an added or removed
/// subtree is one edit at its root. O(n log n) in the members.
std::vector<Edit> difference(const json::Value& before, const json::Value& after);

/// The reference tokens of a pointer, unescaped: "/a~1b/c" gives "a/b", "c".
std::vector<std::string> pointer_tokens(std::string_view pointer);

}  // namespace modelwatch::advisories
