#include "advisories/diff/json_part.h"
#include "advisories/manifest/files.h"

namespace modelwatch::advisories {

const PartDiffer kConfigDiffer{
    Part::config,
    [](std::string_view path) { return part_of(path) == Part::config; },
    [](const DiffInput& input) { return diff_json_part(input, Part::config); },
    [](const Snapshot& snapshot) { return json_part_meaning(snapshot, Part::config); },
};

}  // namespace modelwatch::advisories
