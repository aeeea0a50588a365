#include <algorithm>

#include "advisories/pins/formats.h"

namespace modelwatch::advisories {
namespace {

struct Instruction {
  std::string keyword;
  std::string_view body;  ///< continued lines included
  Position at;            ///< of the body
};

std::vector<Instruction> instructions(std::string_view text) {
  std::vector<Instruction> out;
  std::size_t line = 1;
  while (!text.empty()) {
    std::size_t end = 0, lines = 0;
    do {  // to the end of a line that is not continued; comments between continued lines belong to it
      end = std::min(text.find('\n', end), text.size());
      ++lines;
      std::string_view before = text.substr(0, end);
      if (before.ends_with('\r')) before.remove_suffix(1);
      if (!before.ends_with('\\') || text.starts_with('#')) break;
      ++end;
    } while (end < text.size());
    const std::string_view whole = text.substr(0, end);
    const auto begin = whole.find_first_not_of(" \t");
    if (begin != whole.npos && whole[begin] != '#') {
      const auto keyword_end = std::min(whole.find_first_of(" \t\r\n", begin), whole.size());
      const auto body = std::min(whole.find_first_not_of(" \t", keyword_end), whole.size());
      std::string keyword(whole.substr(begin, keyword_end - begin));
      std::transform(keyword.begin(), keyword.end(), keyword.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
      out.push_back({std::move(keyword), whole.substr(body), {line, body + 1}});
    }
    text.remove_prefix(std::min(text.size(), end + 1));
    line += lines;
  }
  return out;
}

std::vector<Word> words_of(const Instruction& instruction, const Variables& variables) {
  std::vector<Word> words;
  if (instruction.body.starts_with('['))
    if (const auto list = read_json_node(instruction.body)) {
      for (const Node& item : list->items)
        words.push_back({item.text, {instruction.at.line + item.at.line - 1, item.at.column + (item.at.line == 1 ? instruction.at.column - 1 : 0)}, true});
      return words;
    }
  for (const Command& command : shell_commands(instruction.body, instruction.at, variables)) {
    for (const auto& [name, value] : command.assignments) words.push_back({name + "=" + value.text, value.at, value.exact});
    words.insert(words.end(), command.words.begin(), command.words.end());
  }
  return words;
}

}  // namespace

PinFile dockerfile_pins(std::string_view text) {
  PinFile file;
  Variables variables;
  std::map<std::string, Word> environment;
  std::string image;
  std::vector<Word> entrypoint, command;
  const auto finish = [&] {  // of a build stage
    entrypoint.insert(entrypoint.end(), command.begin(), command.end());
    if (!entrypoint.empty()) command_pins(entrypoint, entrypoint.front().text.starts_with('-') ? image : "", file);
    environment_pins(environment, file);
    entrypoint.clear(), command.clear(), environment.clear();
  };
  for (const Instruction& instruction : instructions(text)) {
    if (instruction.keyword == "FROM") {
      finish();
      image = instruction.body.substr(0, instruction.body.find_first_of(" \t\r"));
    } else if (instruction.keyword == "ENV" || instruction.keyword == "ARG") {
      for (const Word& word : words_of(instruction, variables))
        if (const auto equals = word.text.find('='); equals != word.text.npos) {
          variables[word.text.substr(0, equals)] = word.text.substr(equals + 1);
          environment[word.text.substr(0, equals)] = {word.text.substr(equals + 1), word.at, word.exact};
        }
    } else if (instruction.keyword == "ENTRYPOINT") {
      entrypoint = words_of(instruction, variables);
    } else if (instruction.keyword == "CMD") {
      command = words_of(instruction, variables);
    } else if (instruction.keyword == "RUN") {
      script_pins(instruction.body, instruction.at, variables, 0, file);
    } else if (instruction.keyword == "ADD") {
      command_pins(words_of(instruction, variables), "", file);
    }
  }
  finish();
  return file;
}

}  // namespace modelwatch::advisories
