#include "daemon/cli/snapshot.h"

#include <filesystem>

#include "daemon/cli/folder.h"

namespace modelwatch::cli {

Result<advisories::Snapshot> open_snapshot(const Program&, const std::string& source) {
  std::error_code error;
  if (std::filesystem::is_directory(source, error)) return read_folder(source);
  return fail(ErrorKind::not_found, source + " is not a folder", "a folder with the files of one revision");
}

}  // namespace modelwatch::cli
