// Published configs and varied ones against exact counts of transformers' classes, where ../shared is there.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "estimator/json/reader.h"
#include "estimator/plan.h"

namespace modelwatch::estimator {
namespace {

namespace fs = std::filesystem;

// Floors: raised with every family, never lowered.
constexpr int kEqualPublished = 131;
constexpr int kEqualVaried = 285;

const fs::path kData = fs::path(MODELWATCH_SOURCE_DIR) / ".." / "shared" / "data";

std::string slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Score {
  int equal = 0, unknown = 0, wrong = 0, refused = 0;
};

/// A count is right if it equals the class's parameters, with or without its persistent buffers.
void judge(const std::string& name, const fs::path& config, std::int64_t parameters, std::int64_t buffers, Score& score) {
  const auto document = json::read(slurp(config));
  ASSERT_TRUE(document) << name;
  const auto plan = estimator::plan(document->value);
  if (!plan) {
    ++score.refused;
    ADD_FAILURE() << name << ": " << plan.error().message;
  } else if (!plan->facts.known) {
    ++score.unknown;
  } else if (const std::int64_t derived = plan->parameters.derived.value(); derived == parameters || derived == parameters + buffers) {
    ++score.equal;
  } else {
    ++score.wrong;
    ADD_FAILURE() << name << ": " << derived << " is not " << parameters;
  }
}

TEST(Published, CountsEqualThoseOfTheClasses) {
  std::ifstream table(kData / "meta.tsv");
  if (!table) GTEST_SKIP() << "needs ../shared/data/meta.tsv";
  Score score;
  for (std::string line; std::getline(table, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream row(line);
    std::string repo, type, cls, parameters, buffers;
    for (std::string* field : {&repo, &type, &cls, &parameters, &buffers}) std::getline(row, *field, '\t');
    std::string file = repo;
    if (const std::size_t slash = file.find('/'); slash != std::string::npos) file.replace(slash, 1, "__");
    const fs::path config = kData / "configs" / (file + ".json");
    if (fs::exists(config)) judge(repo, config, std::stoll(parameters), std::stoll(buffers), score);
  }
  RecordProperty("equal", score.equal);
  RecordProperty("unknown", score.unknown);
  EXPECT_GE(score.equal, kEqualPublished);
}

TEST(Published, VariedConfigurationsAreRightOrMarkedUnknown) {
  std::ifstream results(kData / "variants" / "results.jsonl");
  if (!results) GTEST_SKIP() << "needs ../shared/data/variants";
  Score score;
  for (std::string line; std::getline(results, line);) {
    const json::Value row = json::read(line)->value;
    const json::Value* parameters = row.find("parameters");
    if (!parameters) continue;
    const std::string name = *row.find("model_type")->string() + "__" + std::to_string(*row.find("variant")->integer());
    judge(name, kData / "variants" / (name + ".config.json"), *parameters->integer(), 0, score);
  }
  EXPECT_GE(score.equal, kEqualVaried);
}

}  // namespace
}  // namespace modelwatch::estimator
