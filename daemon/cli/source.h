#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "advisories/manifest/snapshot.h"
#include "daemon/cli/command.h"

namespace modelwatch::cli {

/// One revision of a repository, named on the command line.
struct Source {
  std::string repository;           ///< "org/name"
  std::string sha;                  ///< full
  advisories::Snapshot snapshot;
  std::shared_ptr<void> keep;       ///< what the snapshot reads from; must live as long as it
};

/// True where `text` reads as `org/name[@revision]` and is no file or folder here.
bool names_repository(std::string_view text);

/// `org/name[@revision]` from the database where that revision is stored, else fetched from the Hub (nothing is
/// written). The revision is a sha, a unique prefix of one, or a ref; without one, the head of main.
Result<Source> repository_source(std::string_view text, const Program& program);

}  // namespace modelwatch::cli
