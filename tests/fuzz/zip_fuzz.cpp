#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include "advisories/feed/archive.h"

// A damaged archive is refused or read; nothing is allocated by what it claims beyond what it has.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace modelwatch::advisories;
  static const std::filesystem::path path = std::filesystem::temp_directory_path() / ("modelwatch-zip-fuzz-" + std::to_string(::getpid()));
  std::ofstream(path, std::ios::binary | std::ios::trunc).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  if (auto archive = ArchiveReader::open(path)) {
    for (const ArchiveEntry& entry : archive->entries())
      if (const auto content = archive->read(entry, 1u << 20); content && content->size() != entry.size) std::abort();
  }
  std::filesystem::remove(path);
  return 0;
}
