#pragma once
#include <string>

#include "advisories/manifest/snapshot.h"
#include "daemon/cli/command.h"

namespace modelwatch::cli {

/// The snapshot that SOURCE, BEFORE or AFTER names: a snapshot folder (daemon/cli/folder.h), or `org/name[@rev]`
/// (daemon/cli/source.h).
Result<advisories::Snapshot> open_snapshot(const Program& program, const std::string& source);

}  // namespace modelwatch::cli
