#pragma once
#include <string>

#include "daemon/cli/command.h"
#include "daemon/config.h"
#include "storage/store.h"

namespace modelwatch::cli {

/// The configuration a command shares with the daemon, so that both write the same advisories.
Result<Config> command_config();

/// The file: --db, else as `find_database` says.
std::string database_path(const Program& program, const Config& config);

/// The database. Reading one that is not there is "not found" with how to begin; writing makes it and its folder.
Result<storage::Store> open_store(const Program& program, const Config& config, storage::Access access);
Result<storage::Store> open_store(const Program& program, storage::Access access);

}  // namespace modelwatch::cli
