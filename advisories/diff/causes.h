#pragma once
#include "advisories/diff/diff.h"

namespace modelwatch::advisories {

/// Gives findings of one cause a common `cause`: the same value changed in several files, a group of keys that only mean
/// something together (rope, quantisation, label maps), one token named in many places. Causes that a part's differ
/// already set are kept and joined; a cause of a single finding is taken away again.
void assign_causes(std::vector<Change>& parts);

/// One line for a changelog from a part's findings, gravest first: what changed, three things at most, the rest counted.
std::string summary_of(const Change& change);

}  // namespace modelwatch::advisories
