#pragma once
#include <string>
#include <vector>

#include "daemon/cli/command.h"

namespace modelwatch::cli {

/// `repo check`: polls these repositories (all that are polled where none is named) one after the other, prints each
/// change as it is found, and how each check ended. The first failure decides the exit code, after all were tried.
/// `full` also reads what the cheap poll cannot see: gating, licence, tags.
Result<int> check_repositories(const Program& program, const std::vector<std::string>& names, bool full, Console& console);

}  // namespace modelwatch::cli
