#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "advisories/diff/dialect.h"
#include "estimator/json/reader.h"
#include "tests/support/golden.h"

namespace modelwatch::advisories {
namespace {

const Dialect& config_dialect() { return *dialect_of("config.json", nullptr); }

void collect(const json::Value& value, const std::string& pointer, std::set<std::string>& missing) {
  if (!value.object()) return;
  for (const auto& [key, member] : *value.object()) {
    const std::string here = json::child_pointer(pointer, key);
    if (!config_dialect().rules().find(rule_key(config_dialect(), here))) missing.insert(key);
    if (is_nested_config(key)) collect(member, here, missing);
  }
}

std::string joined(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += name + " ";
  return text;
}

// Every key has a deliberate class; a key of a new release shows up here by name.
TEST(KeyCoverage, EveryKeyOfPublishedConfigsHasARule) {
  const auto data = testing::shared_data();
  if (data.empty()) GTEST_SKIP() << "the data folder is not there";
  std::set<std::string> missing;
  for (const auto& entry : std::filesystem::directory_iterator(data / "configs"))
    if (const auto document = json::read(testing::read_file(entry.path()))) collect(document->value, "", missing);
  EXPECT_TRUE(missing.empty()) << missing.size() << ": " << joined(missing);
}

TEST(KeyCoverage, EveryDeclaredKeyOfEveryModelTypeHasARule) {
  const auto data = testing::shared_data();
  if (data.empty()) GTEST_SKIP() << "the data folder is not there";
  const auto document = json::read(testing::read_file(data / "defaults.json"));
  ASSERT_TRUE(document);
  std::set<std::string> missing;
  for (const auto& [type, description] : *document->value.find("types")->object()) collect(*description.find("fields"), "", missing);
  EXPECT_TRUE(missing.empty()) << missing.size() << ": " << joined(missing);
}

}  // namespace
}  // namespace modelwatch::advisories
