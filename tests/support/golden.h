#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace modelwatch::testing {

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Holds `text` against tests/golden/<name>; with UPDATE_GOLDEN=1 writes it there, to be read in review.
inline void expect_golden(const std::string& name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(MODELWATCH_SOURCE_DIR) / "tests/golden" / name;
  if (std::getenv("UPDATE_GOLDEN")) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  ASSERT_TRUE(std::filesystem::exists(path)) << path << " is missing: UPDATE_GOLDEN=1 writes it";
  EXPECT_EQ(text, read_file(path)) << path;
}

/// The project's data folder beside the source, empty where it is absent.
inline std::filesystem::path shared_data() {
  const std::filesystem::path path = std::filesystem::path(MODELWATCH_SOURCE_DIR) / "../shared/data";
  return std::filesystem::is_directory(path) ? path : std::filesystem::path();
}

}  // namespace modelwatch::testing
