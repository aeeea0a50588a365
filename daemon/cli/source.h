#pragma once
#include <string>

#include "advisories/manifest/snapshot.h"
#include "daemon/cli/command.h"

namespace modelwatch::cli {

/// The snapshot a command line names: a folder, or org/name[@rev] (from the database, else fetched).
Result<advisories::Snapshot> open_source(const Program& program, const std::string& source);

}  // namespace modelwatch::cli
