#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "estimator/json/value.h"
#include "tests/hub/world.h"

namespace modelwatch::testhub {

/// One move of the history: what is done, and how long after the move before when played by time.
struct Step {
  std::string name;
  double after = 1;  ///< seconds
  std::vector<json::Value> operations;
};

/// A scenario file: the world at its start, and the steps that move it. Format: README.md.
struct Scenario {
  std::string title;
  std::filesystem::path folder;        ///< paths inside are relative to it
  std::vector<json::Value> beginning;  ///< operations
  std::vector<Step> steps;
};

/// Throws std::invalid_argument: with line and column where the text is no TOML, with the table's name where
/// a key is wrong. What the operations say is checked when they are done.
Scenario read_scenario(std::string_view toml, const std::filesystem::path& folder);
Scenario load_scenario(const std::filesystem::path& file);

/// A scenario being played in a world: the beginning at once, the steps one by one.
class Player {
 public:
  Player() = default;
  /// Does the beginning. Throws as do_operation, naming the operation.
  Player(World& world, Scenario scenario);

  /// Does the next step; null result once all are done. {"step": name, "results": […]}.
  json::Value next(World& world);
  bool finished() const { return played_ >= scenario_.steps.size(); }
  std::size_t played() const { return played_; }
  const Scenario& scenario() const { return scenario_; }

 private:
  Scenario scenario_;
  std::size_t played_ = 0;
};

}  // namespace modelwatch::testhub
