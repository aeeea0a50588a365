#include "advisories/feed/archive.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/support/golden.h"
#include "tests/support/temp_folder.h"

namespace modelwatch::advisories {
namespace {

using modelwatch::testing::read_file;
using modelwatch::testing::TempFolder;

Time at(const char* text) { return *parse_rfc3339(text); }

void write(const std::filesystem::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

TEST(Archive, ReadsBackWhatItWrote) {
  TempFolder folder;
  const auto path = folder.path() / "a.zip";
  ArchiveWriter writer(path);
  writer.add("a.json", at("2026-08-20T09:12:05Z"), "{}");
  writer.add("b.json", at("1970-01-01T00:00:00Z"), std::string(100'000, 'x'));
  writer.add("c.json", at("2026-08-20T09:12:05Z"), "");
  ASSERT_TRUE(writer.finish());
  auto reader = ArchiveReader::open(path);
  ASSERT_TRUE(reader) << reader.error().message;
  ASSERT_EQ(reader->entries().size(), 3u);
  EXPECT_EQ(reader->entries()[0].modified, at("2026-08-20T09:12:05Z"));
  EXPECT_EQ(*reader->read(reader->entries()[0]), "{}");
  EXPECT_EQ(*reader->read(reader->entries()[1]), std::string(100'000, 'x'));
  EXPECT_EQ(*reader->read(reader->entries()[2]), "");
  EXPECT_FALSE(reader->read(reader->entries()[1], 1000)) << "beyond the limit";
}

/// Another reader's opinion: names, UTC times to two seconds, checksums, and nothing of this machine.
TEST(Archive, IsReadByPython) {
  TempFolder folder;
  const auto path = folder.path() / "a.zip";
  ArchiveWriter writer(path);
  for (int i = 0; i < 70'000; ++i)  // more than the plain format counts
    writer.add("record-" + std::to_string(100'000 + i), at("2026-08-20T09:12:04Z"), "content " + std::to_string(i));
  ASSERT_TRUE(writer.finish());
  const std::string script =
      "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); names = z.namelist(); "
      "sys.exit(not (len(names) == 70000 and names == sorted(names) and z.testzip() is None and "
      "z.read('record-169999') == b'content 69999' and z.getinfo(names[5]).date_time == (2026, 8, 20, 9, 12, 4)))";
  if (std::system("python3 -c 'import zipfile'") != 0) GTEST_SKIP() << "python3 is not here";
  EXPECT_EQ(std::system(("TZ=Asia/Tokyo python3 -c \"" + script + "\" " + path.string()).c_str()), 0);
}

TEST(Archive, TakesOverPackedEntriesUnchanged) {
  TempFolder folder;
  ArchiveWriter first(folder.path() / "1.zip"), whole(folder.path() / "whole.zip");
  for (const char* name : {"a", "b", "d"}) first.add(name, at("2026-01-01T00:00:00Z"), std::string(1000, name[0]));
  ASSERT_TRUE(first.finish());
  for (const char* name : {"a", "b", "c", "d"}) whole.add(name, at("2026-01-01T00:00:00Z"), std::string(1000, name[0]));
  ASSERT_TRUE(whole.finish());
  auto old = ArchiveReader::open(folder.path() / "1.zip");
  ASSERT_TRUE(old);
  ArchiveWriter second(folder.path() / "2.zip");
  second.take(*old, 0, 2);
  second.add("c", at("2026-01-01T00:00:00Z"), std::string(1000, 'c'));
  second.take(*old, 2, 3);
  ASSERT_TRUE(second.finish());
  EXPECT_EQ(read_file(folder.path() / "2.zip"), read_file(folder.path() / "whole.zip"));
}

TEST(Archive, ThatIsDamagedIsRefused) {
  TempFolder folder;
  const auto path = folder.path() / "a.zip";
  ArchiveWriter writer(path);
  writer.add("a.json", at("2026-08-20T09:12:05Z"), std::string(300, 'x') + "tail");
  ASSERT_TRUE(writer.finish());
  const std::string sound = read_file(path);
  for (std::size_t cut = 0; cut < sound.size(); ++cut) {
    write(path, sound.substr(0, cut));
    auto reader = ArchiveReader::open(path);
    ASSERT_FALSE(reader && !reader->entries().empty() && reader->read(reader->entries()[0])) << cut;
  }
  int noticed = 0;
  for (std::size_t i = 0; i < sound.size(); ++i) {
    std::string bad = sound;
    bad[i] = static_cast<char>(bad[i] ^ 0x55);
    write(path, bad);
    auto reader = ArchiveReader::open(path);
    const bool same = reader && reader->entries().size() == 1 && reader->entries()[0].name == "a.json" &&
                      reader->read(reader->entries()[0]) == std::string(300, 'x') + "tail";
    noticed += !same;
  }
  EXPECT_GT(noticed, int(sound.size()) / 2) << "the rest is times, versions and the local copy of the name";
  EXPECT_FALSE(ArchiveReader::open(folder.path() / "none.zip"));
}

}  // namespace
}  // namespace modelwatch::advisories
