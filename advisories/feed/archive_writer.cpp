#include <zlib.h>

#include <algorithm>
#include <stdexcept>

#include "advisories/feed/archive.h"
#include "advisories/feed/zip_format.h"

namespace modelwatch::advisories {
namespace {

using namespace zip;

constexpr std::uint64_t kChunk = 1u << 20;
constexpr std::uint16_t kVersion = 20, kVersion64 = 45;

/// Date and time as DOS counts them, in UTC, from 1980 to 2107.
std::uint32_t dos_time(Time time) {
  using namespace std::chrono;
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  const int years = std::clamp(int(date.year()) - 1980, 0, 127);
  return std::uint32_t(years) << 25 | unsigned(date.month()) << 21 | unsigned(date.day()) << 16 |
         std::uint32_t(clock.hours().count()) << 11 | std::uint32_t(clock.minutes().count()) << 5 |
         std::uint32_t(clock.seconds().count() / 2);
}

std::string timestamp_field(Time modified) {
  std::string field;
  put(field, kTimestampField, 2);
  put(field, kTimestampSize - 4, 2);
  put(field, 1, 1);  // one time follows: of modification
  put(field, static_cast<std::uint32_t>(modified.time_since_epoch().count()), 4);
  return field;
}

/// What local and central headers share: flags to the length of the extra field.
void put_common(std::string& out, const ArchiveEntry& entry, std::size_t extra_size) {
  put(out, 0, 2);
  put(out, kDeflate, 2);
  put(out, dos_time(entry.modified), 4);
  put(out, entry.crc, 4);
  put(out, entry.packed, 4);
  put(out, entry.size, 4);
  put(out, entry.name.size(), 2);
  put(out, extra_size, 2);
}

std::string central_header(const ArchiveEntry& entry) {
  const bool wide = entry.offset >= kIn64;
  std::string extra = timestamp_field(entry.modified);
  if (wide) {
    put(extra, kZip64Field, 2);
    put(extra, 8, 2);
    put(extra, entry.offset, 8);
  }
  std::string out;
  put(out, kCentral, 4);
  put(out, wide ? kVersion64 : kVersion, 2);
  put(out, wide ? kVersion64 : kVersion, 2);
  put_common(out, entry, extra.size());
  put(out, 0, 2 + 2 + 2 + 4);  // comment, disk, attributes
  put(out, wide ? kIn64 : entry.offset, 4);
  return out + entry.name + extra;
}

std::string end_records(std::uint64_t count, std::uint64_t directory, std::uint64_t end) {
  const std::uint64_t size = end - directory;
  std::string out;
  if (count >= 0xFFFF || directory >= kIn64 || size >= kIn64) {
    put(out, kEnd64, 4);
    put(out, kEnd64Size - 12, 8);
    put(out, kVersion64, 2);
    put(out, kVersion64, 2);
    put(out, 0, 8);
    put(out, count, 8);
    put(out, count, 8);
    put(out, size, 8);
    put(out, directory, 8);
    put(out, kLocator64, 4);
    put(out, 0, 4);
    put(out, end, 8);
    put(out, 1, 4);
  }
  put(out, kEnd, 4);
  put(out, 0, 4);
  put(out, std::min<std::uint64_t>(count, 0xFFFF), 2);
  put(out, std::min<std::uint64_t>(count, 0xFFFF), 2);
  put(out, std::min<std::uint64_t>(size, kIn64), 4);
  put(out, std::min<std::uint64_t>(directory, kIn64), 4);
  put(out, 0, 2);
  return out;
}

}  // namespace

/// Raw deflate at zlib's default level; one state for all entries, as setting it up costs more than a small record.
class ArchiveWriter::Deflater {
 public:
  Deflater() {
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL - 1, Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  ~Deflater() { deflateEnd(&stream_); }

  std::string operator()(std::string_view content) {
    deflateReset(&stream_);
    std::string out(deflateBound(&stream_, static_cast<uLong>(content.size())), '\0');
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    stream_.avail_in = static_cast<uInt>(content.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    if (deflate(&stream_, Z_FINISH) != Z_STREAM_END) throw std::logic_error("deflateBound is too small");
    out.resize(stream_.total_out);
    return out;
  }

 private:
  z_stream stream_{};
};

ArchiveWriter::ArchiveWriter(const std::filesystem::path& path)
    : deflater_(std::make_unique<Deflater>()), file_(path, std::ios::binary | std::ios::trunc) {}
ArchiveWriter::~ArchiveWriter() = default;

void ArchiveWriter::put(std::string_view bytes) {
  file_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  written_ += bytes.size();
}

void ArchiveWriter::add(std::string_view name, Time modified, std::string_view content) {
  const std::string packed = (*deflater_)(content);
  ArchiveEntry entry{std::string(name), modified, 0, packed.size(), content.size(), written_, true};
  entry.crc = static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())));
  std::string header;
  zip::put(header, kLocal, 4);
  zip::put(header, kVersion, 2);
  put_common(header, entry, kTimestampSize);
  put(header + entry.name + timestamp_field(modified));
  put(packed);
  entries_.push_back(std::move(entry));
}

void ArchiveWriter::take(ArchiveReader& from, std::size_t first, std::size_t last) {
  if (first == last) return;
  const auto& entries = from.entries();
  const std::uint64_t begin = entries[first].offset;
  const std::uint64_t end = last < entries.size() ? entries[last].offset : from.directory_offset();
  const std::uint64_t moved = written_;
  std::string chunk;
  for (std::uint64_t at = begin; at < end; at += chunk.size()) {
    if (!from.read_raw(at, std::min(kChunk, end - at), chunk)) return file_.setstate(std::ios::failbit);
    put(chunk);
  }
  for (std::size_t i = first; i < last; ++i) {
    entries_.push_back(entries[i]);
    entries_.back().offset = moved + (entries[i].offset - begin);
  }
}

bool ArchiveWriter::finish() {
  const std::uint64_t directory = written_;
  for (const ArchiveEntry& entry : entries_) put(central_header(entry));
  put(end_records(entries_.size(), directory, written_));
  file_.close();
  return !file_.fail();
}

}  // namespace modelwatch::advisories
