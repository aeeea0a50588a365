#include "daemon/hub/gguf_extent.h"

#include <gtest/gtest.h>

#include "tests/daemon/hub/gguf_file.h"

namespace modelwatch::hub {
namespace {

/// "ends at 5", "goes on", or why it is none.
std::string shown(std::string_view bytes) {
  const auto extent = gguf_extent(bytes);
  if (const auto* end = std::get_if<HeaderEnd>(&extent)) return "ends at " + std::to_string(end->bytes);
  if (const auto* none = std::get_if<NoHeader>(&extent)) return std::string(none->why);
  return std::get<HeaderGoesOn>(extent).at_least > bytes.size() ? "goes on" : "goes on to where it is";
}

TEST(GgufExtent, EveryPrefixGoesOnUntilTheEnd) {
  const std::string header = gguf_header_of({"tok", "en"});
  for (std::size_t size = 0; size < header.size(); ++size) EXPECT_EQ(shown(std::string_view(header).substr(0, size)), "goes on") << size;
  const std::string end = "ends at " + std::to_string(header.size());
  EXPECT_EQ(shown(header), end);
  EXPECT_EQ(shown(header + std::string(100, 'x')), end);
}

TEST(GgufExtent, VersionOneHasShortCounts) {
  Gguf file;
  file.raw("GGUF").number(1, 4).number(0, 4).number(1, 4).number(3, 4).raw("key").number(4, 4).number(7, 4);
  EXPECT_EQ(shown(file.bytes), "ends at " + std::to_string(file.bytes.size()));
}

TEST(GgufExtent, WhatNobodyWroteInEarnest) {
  const auto start = [](std::uint32_t version, std::uint64_t tensors, std::uint64_t pairs) {
    Gguf file;
    file.raw("GGUF").number(version, 4).number(tensors, 8).number(pairs, 8);
    return file;
  };
  EXPECT_EQ(shown("GGML0000"), "it does not start with GGUF");
  EXPECT_EQ(shown(start(0x03000000, 1, 1).bytes), "a version other than 1 to 3") << "big-endian";
  EXPECT_EQ(shown(start(3, 0, 0).bytes), "ends at 24");
  EXPECT_EQ(shown(start(3, 1ULL << 40, 0).bytes), "more than a million tensors");
  EXPECT_EQ(shown(start(3, 0, 1ULL << 40).bytes), "more than 100,000 key/values");
  EXPECT_EQ(shown(start(3, 0, 1).text("k").number(13, 4).bytes), "a value of unknown type");
  EXPECT_EQ(shown(start(3, 0, 1).number(~0ULL, 8).bytes), "a string of more than 64 MB");
  EXPECT_EQ(shown(start(3, 0, 1).text("k").number(9, 4).number(10, 4).number(~0ULL, 8).bytes), "an array of more than 64 MB");
  EXPECT_EQ(shown(start(3, 0, 1).text("k").number(9, 4).number(8, 4).number(~0ULL, 8).bytes), "goes on") << "strings without end";
  Gguf nested = start(3, 0, 1).text("k").number(9, 4);
  for (int i = 0; i < 6; ++i) nested.number(9, 4).number(1, 8);
  EXPECT_EQ(shown(nested.bytes), "a value of unknown type") << "too deep";
  EXPECT_EQ(shown(start(3, 1, 0).text("w").number(9, 4).bytes), "a tensor of more than 8 dimensions");
}

}  // namespace
}  // namespace modelwatch::hub
