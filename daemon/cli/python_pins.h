#pragma once
#include <map>
#include <string>
#include <vector>

#include "advisories/pins/pin.h"

namespace modelwatch::cli {

struct PythonFile {
  std::string path, text;
};

/// Pins of Python files by path: from_pretrained, snapshot_download, hf_hub_download, pipeline, LLM, SentenceTransformer …
/// with literal arguments, or names that the file gives a literal once. The files are parsed by Python's own `ast` in one
/// helper process (`python3 -I`), bounded in time and memory; nothing of them is run. A file that Python cannot parse is
/// an error with line and column; `upstream` never is one. usage where there is no python3, or it does not answer.
Result<std::map<std::string, Result<advisories::PinFile>>> python_pins(const std::vector<PythonFile>& files);

}  // namespace modelwatch::cli
