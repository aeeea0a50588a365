#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "advisories/pins/pin.h"

namespace modelwatch::cli {

/// The line of a pin with another revision: the one that stands there replaced, or where none does, added as the form
/// has it (`@sha` behind a purl, `, revision="…"` in a Python call, ` --revision …` on a command line). None where the
/// line does not hold what the pin says, or the form has no place for a revision.
std::optional<std::string> with_revision(std::string_view line, const advisories::Pin& pin, std::string_view revision);

}  // namespace modelwatch::cli
