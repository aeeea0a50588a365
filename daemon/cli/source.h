#pragma once
#include <string>
#include <string_view>

#include "advisories/manifest/snapshot.h"
#include "daemon/cli/command.h"

namespace modelwatch::cli {

/// One revision of a repository, named on the command line. The snapshot keeps alive what it reads from.
struct Source {
  std::string repository;  ///< "org/name"
  std::string sha;         ///< full
  advisories::Snapshot snapshot;
};

/// True where `text` reads as `org/name[@revision]` and is no file or folder here.
bool names_repository(std::string_view text);

/// `org/name[@revision]` from the database where that revision is stored, else from the Hub, file by file as they are
/// read (nothing is written). The revision is a sha, a unique prefix of one, or a ref; without one, the head of main.
Result<Source> repository_source(std::string_view text, const Program& program);

}  // namespace modelwatch::cli
