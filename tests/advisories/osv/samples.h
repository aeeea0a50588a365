#pragma once
#include <string>
#include <utility>
#include <vector>

#include "advisories/osv/advisory.h"

namespace modelwatch::advisories::testing {

inline constexpr const char* kRepository = "example-org/example-chat-7b";

/// A 40-digit commit told apart by a number.
std::string sha(unsigned number);
Time at(const char* rfc3339);

/// One advisory of each shape that a document can have, with the name of its golden file.
std::vector<std::pair<std::string, Advisory>> every_shape();
FeedIdentity sample_feed();

}  // namespace modelwatch::advisories::testing
