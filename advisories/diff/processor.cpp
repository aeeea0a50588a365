#include "advisories/diff/json_part.h"
#include "advisories/manifest/files.h"

namespace modelwatch::advisories {

const PartDiffer kProcessorDiffer{
    Part::processor,
    [](std::string_view path) { return part_of(path) == Part::processor; },
    [](const DiffInput& input) { return diff_json_part(input, Part::processor); },
    [](const Snapshot& snapshot) { return json_part_meaning(snapshot, Part::processor); },
};

}  // namespace modelwatch::advisories
