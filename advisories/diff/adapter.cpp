#include "advisories/diff/json_part.h"
#include "advisories/manifest/files.h"

namespace modelwatch::advisories {

const PartDiffer kAdapterDiffer{
    Part::adapter,
    [](std::string_view path) { return part_of(path) == Part::adapter; },
    [](const DiffInput& input) { return diff_json_part(input, Part::adapter); },
    [](const Snapshot& snapshot) { return json_part_meaning(snapshot, Part::adapter); },
};

}  // namespace modelwatch::advisories
