#include "daemon/cli/open_store.h"

#include <filesystem>

namespace modelwatch::cli {

Result<Config> command_config() { return load_config("", process_environment()); }

std::string database_path(const Program& program, const Config& config) {
  return find_database(program.db, config, process_environment());
}

Result<storage::Store> open_store(const Program& program, const Config& config, storage::Access access) {
  namespace fs = std::filesystem;
  const std::string path = database_path(program, config);
  std::error_code error;
  if (access == storage::Access::read_only && !fs::exists(path, error)) {
    return fail(ErrorKind::not_found, "there is no database at " + path, "modelwatch repo add org/name");
  }
  if (access == storage::Access::read_write) fs::create_directories(fs::path(path).parent_path(), error);
  return storage::Store::open(path, access, config.feed);
}

Result<storage::Store> open_store(const Program& program, storage::Access access) {
  return command_config().and_then([&](const Config& config) { return open_store(program, config, access); });
}

}  // namespace modelwatch::cli
