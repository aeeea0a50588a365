#include <zlib.h>

#include <algorithm>

#include "advisories/feed/archive.h"
#include "advisories/feed/zip_format.h"

namespace modelwatch::advisories {
namespace {

using namespace zip;

constexpr std::uint64_t kMostDirectory = std::uint64_t{1} << 31;  ///< bytes; about 20 million entries

/// The data of an extra field, or nothing where it is not there or runs over.
std::optional<std::string_view> extra_field(std::string_view extra, std::uint16_t wanted) {
  while (extra.size() >= 4) {
    const std::size_t size = get(extra, 2, 2);
    if (extra.size() < 4 + size) return std::nullopt;
    if (get(extra, 0, 2) == wanted) return extra.substr(4, size);
    extra.remove_prefix(4 + size);
  }
  return std::nullopt;
}

/// Values that did not fit 32 bits, in the order of the format.
bool widen(std::string_view extra, ArchiveEntry& entry) {
  std::string_view wide = extra_field(extra, kZip64Field).value_or("");
  for (std::uint64_t* value : {&entry.size, &entry.packed, &entry.offset}) {
    if (*value != kIn64) continue;
    if (wide.size() < 8) return false;
    *value = get(wide, 0, 8);
    wide.remove_prefix(8);
  }
  return true;
}

}  // namespace

Result<ArchiveReader> ArchiveReader::open(const std::filesystem::path& path) {
  ArchiveReader reader;
  reader.path_ = path.string();
  reader.file_.open(path, std::ios::binary | std::ios::ate);
  if (!reader.file_) return fail(ErrorKind::not_found, "cannot read " + reader.path_);
  reader.file_size_ = static_cast<std::uint64_t>(reader.file_.tellg());
  if (!reader.read_end()) return fail(ErrorKind::bad_input, reader.path_ + " is no sound zip archive");
  return reader;
}

bool ArchiveReader::read_raw(std::uint64_t offset, std::uint64_t size, std::string& out) {
  if (offset > file_size_ || size > file_size_ - offset) return false;
  out.resize(size);
  file_.clear();
  file_.seekg(static_cast<std::streamoff>(offset));
  return static_cast<bool>(file_.read(out.data(), static_cast<std::streamsize>(size)));
}

bool ArchiveReader::read_end() {
  const std::uint64_t tail_size = std::min<std::uint64_t>(file_size_, kEndSize + 0xFFFF + kLocator64Size);
  std::string tail, record;
  if (!read_raw(file_size_ - tail_size, tail_size, tail)) return false;
  std::string signature;
  put(signature, kEnd, 4);
  const auto end = tail.rfind(signature);
  if (end == tail.npos || tail.size() - end < kEndSize) return false;
  const std::string_view last = std::string_view(tail).substr(end);
  std::uint64_t count = get(last, 10, 2), size = get(last, 12, 4), offset = get(last, 16, 4);
  if (end >= kLocator64Size && get(tail, end - kLocator64Size, 4) == kLocator64) {
    if (!read_raw(get(tail, end - kLocator64Size + 8, 8), kEnd64Size, record) || get(record, 0, 4) != kEnd64) return false;
    count = get(record, 32, 8);
    size = get(record, 40, 8);
    offset = get(record, 48, 8);
  }
  return read_directory(offset, size, count);
}

bool ArchiveReader::read_directory(std::uint64_t offset, std::uint64_t size, std::uint64_t count) {
  std::string directory;
  if (size > kMostDirectory || count > size / kCentralSize || !read_raw(offset, size, directory)) return false;
  directory_offset_ = offset;
  entries_.reserve(count);
  std::string_view rest = directory;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (rest.size() < kCentralSize || get(rest, 0, 4) != kCentral) return false;
    const std::size_t name_size = get(rest, 28, 2), extra_size = get(rest, 30, 2), comment_size = get(rest, 32, 2);
    const std::size_t whole = kCentralSize + name_size + extra_size + comment_size;
    if (rest.size() < whole) return false;
    ArchiveEntry entry;
    entry.name = rest.substr(kCentralSize, name_size);
    entry.crc = static_cast<std::uint32_t>(get(rest, 16, 4));
    entry.packed = get(rest, 20, 4);
    entry.size = get(rest, 24, 4);
    entry.offset = get(rest, 42, 4);
    const std::string_view extra = rest.substr(kCentralSize + name_size, extra_size);
    const auto times = extra_field(extra, kTimestampField);
    const bool dated = times && times->size() == kTimestampSize - 4 && (*times)[0] == 1;
    if (dated) entry.modified = Time(std::chrono::seconds(static_cast<std::int32_t>(get(*times, 1, 4))));
    if (!widen(extra, entry) || entry.offset >= offset || entry.packed > offset - entry.offset) return false;
    entry.ours = dated && get(rest, 8, 2) == 0 && get(rest, 10, 2) == kDeflate && comment_size == 0;
    entries_.push_back(std::move(entry));
    rest.remove_prefix(whole);
  }
  return true;
}

Result<std::string> ArchiveReader::read(const ArchiveEntry& entry, std::uint64_t limit) {
  const auto bad = [&](const char* why) { return fail(ErrorKind::bad_input, path_ + ": " + entry.name + ": " + why); };
  std::string header, packed;
  if (entry.size > limit) return bad("too large");
  if (!entry.ours) return bad("not packed as the feed packs");
  if (!read_raw(entry.offset, kLocalSize, header) || get(header, 0, 4) != kLocal) return bad("its header is damaged");
  if (!read_raw(entry.offset + kLocalSize + get(header, 26, 2) + get(header, 28, 2), entry.packed, packed)) return bad("cut off");
  std::string content(entry.size, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return bad("cannot be unpacked");
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(content.data());
  stream.avail_out = static_cast<uInt>(content.size());
  const int outcome = inflate(&stream, Z_FINISH);
  const bool whole = outcome == Z_STREAM_END && stream.avail_out == 0;
  inflateEnd(&stream);
  if (!whole) return bad("damaged");
  if (crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())) != entry.crc) return bad("its checksum is wrong");
  return content;
}

}  // namespace modelwatch::advisories
