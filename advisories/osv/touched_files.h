#pragma once
#include "advisories/osv/advisory.h"

namespace modelwatch::advisories {

/// The files that a change of a part is about: those its findings name and those of the part whose listing differs, by
/// path, at most kMostFiles; `total` says how many there are.
struct TouchedFiles {
  std::vector<TouchedFile> files;
  std::size_t total = 0;
};
TouchedFiles touched_files(const Change& change, const Snapshot& before, const Snapshot& after);

}  // namespace modelwatch::advisories
