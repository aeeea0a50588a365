#pragma once
#include <string>
#include <string_view>

#include "advisories/manifest/snapshot.h"

namespace modelwatch::advisories {

/// The text of a file, empty with a reason where it is not at hand.
struct TextFile {
  bool read = false;
  Bytes bytes;
  std::string reason;

  std::string_view text() const { return bytes ? std::string_view(*bytes) : std::string_view(); }
};
/// `file` may be null: read, and empty.
TextFile read_text(const Snapshot& snapshot, const ListedFile* file);

/// Without what only an editor sees: carriage returns, white space at line ends, blank lines at the end, a byte order mark.
std::string without_layout(std::string_view text);

}  // namespace modelwatch::advisories
