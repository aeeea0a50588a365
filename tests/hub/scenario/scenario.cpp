#include "tests/hub/scenario/scenario.h"

#include <toml++/toml.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/hub/scenario/arguments.h"
#include "tests/hub/scenario/operations.h"

namespace modelwatch::testhub {
namespace {

json::Value to_json(const toml::node& node);

std::string date_text(const toml::node& node) {
  std::ostringstream out;
  out << *node.as_date_time();
  return out.str();
}

json::Value to_json(const toml::table& table) {
  json::Object object;
  for (const auto& [key, node] : table) object.append(std::string(key.str()), to_json(node));
  return object;
}

json::Value to_json(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return to_json(*node.as_table());
    case toml::node_type::array: {
      json::Array list;
      for (const toml::node& item : *node.as_array()) list.push_back(to_json(item));
      return list;
    }
    case toml::node_type::string:
      return node.as_string()->get();
    case toml::node_type::integer:
      return node.as_integer()->get();
    case toml::node_type::floating_point:
      return node.as_floating_point()->get();
    case toml::node_type::boolean:
      return node.as_boolean()->get();
    case toml::node_type::date_time:
      return date_text(node);
    default:
      throw std::invalid_argument("dates without time are not used");
  }
}

/// The entries of a table list, each with `verb` set to what its `name` says: [[repository]] name = … is
/// create = ….
void take_entries(Arguments& file, std::string_view list, const std::string& verb,
                  std::vector<json::Value>& operations) {
  const json::Array* entries = file.array(list);
  if (!entries) return;
  for (const json::Value& entry : *entries) {
    Arguments fields(std::string(list), entry);
    json::Object operation{{verb, fields.text("name")}};
    std::vector<json::Value> pushes;
    for (const auto& [key, value] : *entry.object()) {
      if (key == "push" && value.array()) {
        for (json::Value push : *value.array()) {
          if (push.object()) push.object()->set("push", fields.text("name"));
          pushes.push_back(std::move(push));
        }
      } else if (key != "name") {
        operation.append(key, value);
      }
    }
    operations.emplace_back(std::move(operation));
    operations.insert(operations.end(), pushes.begin(), pushes.end());
  }
}

Step read_step(const json::Value& value, std::size_t number) {
  Arguments fields("step " + std::to_string(number), value);
  Step step;
  step.name = fields.optional_text("name").value_or("step " + std::to_string(number));
  step.after = fields.real("after").value_or(1);
  if (const json::Array* list = fields.array("do")) {
    fields.done();
    step.operations.assign(list->begin(), list->end());
    return step;
  }
  json::Object operation;
  for (const auto& [key, entry] : *value.object())
    if (key != "name" && key != "after") operation.append(key, entry);
  step.operations.emplace_back(std::move(operation));
  return step;
}

}  // namespace

Scenario read_scenario(std::string_view text, const std::filesystem::path& folder) {
  json::Value value;
  try {
    value = to_json(toml::parse(text));
  } catch (const toml::parse_error& error) {
    throw std::invalid_argument("line " + std::to_string(error.source().begin.line) + ", column " +
                                std::to_string(error.source().begin.column) + ": " +
                                std::string(error.description()));
  }
  Arguments file("scenario", value);
  Scenario scenario;
  scenario.folder = folder;
  scenario.title = file.optional_text("title").value_or("");
  if (const json::Value* clock = file.value("clock")) {
    Arguments fields("clock", *clock);
    scenario.beginning.emplace_back(
        json::Object{{"clock", fields.text("start")}, {"scale", fields.real("scale").value_or(1)}});
    fields.done();
  }
  if (const json::Value* switches = file.value("behaviour"))
    scenario.beginning.emplace_back(json::Object{{"behaviour", *switches}});
  take_entries(file, "user", "user", scenario.beginning);
  take_entries(file, "repository", "create", scenario.beginning);
  if (const json::Array* list = file.array("begin"))
    scenario.beginning.insert(scenario.beginning.end(), list->begin(), list->end());
  if (const json::Array* steps = file.array("step"))
    for (const json::Value& step : *steps)
      scenario.steps.push_back(read_step(step, scenario.steps.size() + 1));
  file.done();
  return scenario;
}

Scenario load_scenario(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::invalid_argument(path.string() + ": cannot be read");
  std::ostringstream text;
  text << in.rdbuf();
  try {
    return read_scenario(text.str(), std::filesystem::absolute(path).parent_path());
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(path.string() + ": " + error.what());
  }
}

Player::Player(World& world, Scenario scenario) : scenario_(std::move(scenario)) {
  for (const json::Value& operation : scenario_.beginning) do_operation(world, operation, scenario_.folder);
}

json::Value Player::next(World& world) {
  if (finished()) return nullptr;
  const Step& step = scenario_.steps[played_];
  json::Array results;
  try {
    for (const json::Value& operation : step.operations)
      results.push_back(do_operation(world, operation, scenario_.folder));
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(step.name + ": " + error.what());
  }
  ++played_;
  return json::Object{{"step", step.name}, {"results", std::move(results)}};
}

}  // namespace modelwatch::testhub
