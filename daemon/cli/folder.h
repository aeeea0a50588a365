#pragma once
#include <filesystem>

#include "advisories/manifest/snapshot.h"
#include "estimator/error.h"

namespace modelwatch::cli {

/// A snapshot folder: the files of one revision as they lie in the repository, and an optional `.listing.json`, the Hub's
/// recursive tree answer, for files whose content is not there (docs/json.md). A file that is there but not listed is
/// hashed from its bytes; hidden folders (.git, .cache) are left out. Contents are read when asked for.
Result<advisories::Snapshot> read_folder(const std::filesystem::path& folder);

}  // namespace modelwatch::cli
