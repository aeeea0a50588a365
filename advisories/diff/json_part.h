#pragma once
#include "advisories/diff/part_differ.h"

namespace modelwatch::advisories {

/// The differ of a part that is made of JSON files with a dialect each: structural difference, equal meaning recognised,
/// every changed value judged by the rules of its key.
PartChange diff_json_part(const DiffInput& input, Part part);

/// The same for one file.
void diff_json_file(const DiffInput& input, const ChangedFile& file, PartChange& change);

/// The meaning of one JSON file as text: normal form without bookkeeping. The file's identity where it cannot be read.
std::string json_meaning(const Snapshot& snapshot, const ListedFile& file);
std::optional<std::string> json_part_meaning(const Snapshot& snapshot, Part part);

}  // namespace modelwatch::advisories
