#pragma once
#include <filesystem>

#include "tests/hub/git/repository.h"
#include "tests/hub/scenario/arguments.h"

namespace modelwatch::testhub {

/// Where a scenario's files come from.
struct FileSources {
  std::filesystem::path folder;  ///< relative paths start here
  CommitPtr present;             ///< the files that `edit` and `reseed` change; null where there are none yet
};

/// Reads `files` and `folder` of an operation (README.md, "Files").
Files read_files(Arguments& arguments, const FileSources& sources);

}  // namespace modelwatch::testhub
