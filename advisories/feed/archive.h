#pragma once
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advisories/timestamp.h"
#include "estimator/error.h"

namespace modelwatch::advisories {

/// One file of a zip archive.
struct ArchiveEntry {
  std::string name;
  Time modified{};
  std::uint32_t crc = 0;
  std::uint64_t packed = 0, size = 0;  ///< bytes deflated, and as they were
  std::uint64_t offset = 0;            ///< of the local header
  /// Written as ArchiveWriter writes, so that its bytes may be taken over as they are.
  bool ours = false;
};

/// Reads a zip archive by its central directory, ZIP64 included. Nothing in it is believed before it is checked.
class ArchiveReader {
 public:
  static Result<ArchiveReader> open(const std::filesystem::path& path);

  const std::vector<ArchiveEntry>& entries() const { return entries_; }
  std::uint64_t directory_offset() const { return directory_offset_; }
  /// The content, its size and checksum verified. At most `limit` bytes.
  Result<std::string> read(const ArchiveEntry& entry, std::uint64_t limit = 64u << 20);
  /// Bytes of the file as they are.
  bool read_raw(std::uint64_t offset, std::uint64_t size, std::string& out);

 private:
  std::ifstream file_;
  std::string path_;
  std::uint64_t file_size_ = 0, directory_offset_ = 0;
  std::vector<ArchiveEntry> entries_;

  bool read_end();
  bool read_directory(std::uint64_t offset, std::uint64_t size, std::uint64_t count);
};

/// Writes a zip archive whose bytes depend on nothing but names, times and contents: deflate, UTC times (whole seconds
/// in an extended timestamp), no attributes of the machine. ZIP64 where it must be.
class ArchiveWriter {
 public:
  explicit ArchiveWriter(const std::filesystem::path& path);
  ~ArchiveWriter();

  void add(std::string_view name, Time modified, std::string_view content);
  /// Takes over entries [first, last) of an archive of ours without unpacking them.
  void take(ArchiveReader& from, std::size_t first, std::size_t last);
  /// Writes the directory. False where any write failed.
  bool finish();

 private:
  void put(std::string_view bytes);

  class Deflater;
  std::unique_ptr<Deflater> deflater_;
  std::ofstream file_;
  std::uint64_t written_ = 0;
  std::vector<ArchiveEntry> entries_;
};

}  // namespace modelwatch::advisories
