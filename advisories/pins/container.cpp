#include <array>

#include "advisories/pins/formats.h"

namespace modelwatch::advisories {
namespace {

/// Where the words of a scalar begin: behind its quote, or on the lines of its block.
void scalar_script(const Node& node, PinFile& file) {
  script_pins(node.text, node.at, {}, node.at.column - 1, file);
}

std::vector<Word> words_of(const Node& node) {
  std::vector<Word> words;
  if (node.kind == Node::Kind::list)
    for (const Node& item : node.items) words.push_back({item.text, item.at, item.text.find("$(") == item.text.npos});
  else if (node.kind == Node::Kind::scalar)
    for (const Command& command : shell_commands(node.text, node.at, {}, node.at.column - 1))
      words.insert(words.end(), command.words.begin(), command.words.end());
  return words;
}

std::map<std::string, Word> variables_of(const Node& container) {
  std::map<std::string, Word> variables;
  for (const char* key : {"env", "environment"}) {
    const Node* env = container.find(key);
    if (!env) continue;
    for (const auto& [name, value] : env->members) variables[name] = {value.text, value.at, true};
    for (const Node& item : env->items) {
      if (const Node* value = item.find("value")) variables[std::string(item.get("name"))] = {value->text, value->at, true};
      if (const auto equals = item.text.find('='); equals != item.text.npos)
        variables[item.text.substr(0, equals)] = {item.text.substr(equals + 1), {item.at.line, item.at.column + equals + 1}, true};
    }
  }
  return variables;
}

bool is_shell(const std::vector<Word>& words) {
  return words.size() > 2 && (words[0].text.ends_with("sh")) && words[1].text.starts_with("-") && words[1].text.ends_with("c");
}

void read_container(const Node& container, PinFile& file) {
  std::vector<Word> words;
  for (const char* key : {"entrypoint", "command", "args"})
    if (const Node* part = container.find(key)) {
      const std::vector<Word> more = words_of(*part);
      words.insert(words.end(), more.begin(), more.end());
    }
  if (is_shell(words)) {
    script_pins(words[2].text, words[2].at, {}, words[2].at.column - 1, file);
  } else if (!words.empty()) {
    // A command of its own runs in place of the image's entry point; arguments alone do not.
    command_pins(words, words.front().text.starts_with('-') ? container.get("image") : std::string_view(), file);
  }
  environment_pins(variables_of(container), file);
}

}  // namespace

void container_pins(const Node& node, PinFile& file) {
  for (const Node& item : node.items) container_pins(item, file);
  for (const auto& [key, value] : node.members) {
    if (key == "run" || key == "script" || key == "before_script") {
      if (value.kind == Node::Kind::scalar) scalar_script(value, file);
      for (const Node& line : value.items) scalar_script(line, file);
    }
    container_pins(value, file);
  }
  if (node.find("image") || node.find("command") || node.find("args") || node.find("entrypoint")) read_container(node, file);
}

}  // namespace modelwatch::advisories
