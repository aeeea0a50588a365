#pragma once
#include <string>
#include <string_view>

#include "advisories/manifest/snapshot.h"

namespace modelwatch::advisories {

/// Text with readable bytes behind its end, as the streaming reader wants it. Uses the file's own buffer where that has
/// room to spare (whoever fills it reserves `kSpare` bytes more), so that a large file is not held twice.
class PaddedText {
 public:
  static constexpr std::size_t kSpare = 64;

  explicit PaddedText(Bytes bytes, std::size_t from = 0);
  std::string_view text() const { return text_; }
  std::size_t capacity() const { return text_.size() + kSpare; }

  /// "line 12, column 3: reason", for a place inside the text.
  std::string problem(const char* where, std::string_view reason) const;

 private:
  Bytes bytes_;
  std::string copy_;
  std::string_view text_;
};

}  // namespace modelwatch::advisories
