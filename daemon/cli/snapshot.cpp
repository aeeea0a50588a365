#include "daemon/cli/snapshot.h"

#include <filesystem>

#include "daemon/cli/folder.h"
#include "daemon/cli/source.h"

namespace modelwatch::cli {

Result<advisories::Snapshot> open_snapshot(const Program& program, const std::string& source) {
  std::error_code error;
  if (std::filesystem::is_directory(source, error)) return read_folder(source);
  if (names_repository(source)) {
    auto named = repository_source(source, program);
    if (!named) return tl::unexpected(named.error());
    return std::move(named->snapshot);
  }
  return fail(ErrorKind::not_found, source + " is not a folder", "a folder with the files of one revision, or org/name@revision");
}

}  // namespace modelwatch::cli
