#pragma once
#include <string>
#include <vector>

#include "advisories/pins/pin.h"

namespace modelwatch::cli {

/// A file that names models in a way that could not be used.
struct CheckProblem {
  std::string file;
  advisories::Position at;
  std::string reason;
};

struct FoundPin {
  std::string file;
  advisories::Pin pin;
};

struct FoundPins {
  std::vector<FoundPin> pins;  ///< in the order of paths, then places
  std::vector<CheckProblem> problems;
};

/// Reads files whatever their name, and in folders those that may hold pins; `models--org--name` folders of a Hugging Face
/// cache count by their snapshots. Folders of version control, environments and packages are left out, links are not
/// followed. not_found where a path is not there.
Result<FoundPins> find_pins(const std::vector<std::string>& paths);

}  // namespace modelwatch::cli
