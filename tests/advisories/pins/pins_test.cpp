#include "advisories/pins/pin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/golden.h"

namespace modelwatch::advisories {
namespace {

namespace fs = std::filesystem;

std::string described(const std::string& file, const Result<PinFile>& read) {
  if (!read) return file + ": " + read.error().message + "\n";
  const auto place = [](Position at) { return std::to_string(at.line) + ":" + std::to_string(at.column) + ": "; };
  std::string text;
  for (const Pin& pin : read->pins) {
    text += file + ":" + place(pin.at) + pin.repository + (pin.revision.empty() ? "" : "@" + pin.revision) + "  [" + pin.form + "]";
    if (pin.hub != kPublicHub) text += " on " + pin.hub;
    if (!pin.hub_id.empty()) text += " " + pin.hub_id + ", " + std::to_string(pin.states.size()) + " states";
    text += "\n";
  }
  for (const PinProblem& problem : read->problems) text += file + ":" + place(problem.at) + "! " + problem.reason + "\n";
  return text;
}

/// One small file per way of naming models; what is found in each stands in one golden text.
TEST(Pins, AreFoundWherePeopleWriteThem) {
  const fs::path folder = fs::path(MODELWATCH_SOURCE_DIR) / "tests/fixtures/pins";
  std::vector<fs::path> files;
  for (const auto& file : fs::recursive_directory_iterator(folder))
    if (file.is_regular_file()) files.push_back(file.path());
  std::sort(files.begin(), files.end());
  std::string text;
  for (const fs::path& file : files) {
    const std::string name = fs::relative(file, folder).string();
    EXPECT_TRUE(may_hold_pins(name)) << name;
    text += described(name, read_pins(name, modelwatch::testing::read_file(file)));
  }
  modelwatch::testing::expect_golden("pins.txt", text);
}

TEST(Pins, OfAFileOfAnotherKindAreNone) {
  for (const char* name : {"model.safetensors", "photo.jpg", "README.md"}) EXPECT_FALSE(may_hold_pins(name)) << name;
  EXPECT_TRUE(read_pins("package.json", "{\"dependencies\":{\"a\":\"1\"}}")->pins.empty());
  EXPECT_FALSE(read_pins("sbom.json", "{\"bomFormat\":"));
}

}  // namespace
}  // namespace modelwatch::advisories
