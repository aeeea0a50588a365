#pragma once
#include <vector>

#include "advisories/diff/part_differ.h"

namespace modelwatch::advisories {

/// The files that differ between two listings, by path. A removed and an added file of one part with equal bytes are
/// one moved file, where that is unambiguous.
std::vector<ChangedFile> changed_files(const Listing& before, const Listing& after);

}  // namespace modelwatch::advisories
