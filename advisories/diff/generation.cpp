#include "advisories/diff/json_part.h"
#include "advisories/manifest/files.h"

namespace modelwatch::advisories {

const PartDiffer kGenerationDiffer{
    Part::generation,
    [](std::string_view path) { return part_of(path) == Part::generation; },
    [](const DiffInput& input) { return diff_json_part(input, Part::generation); },
    [](const Snapshot& snapshot) { return json_part_meaning(snapshot, Part::generation); },
};

}  // namespace modelwatch::advisories
