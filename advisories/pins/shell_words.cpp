#include "advisories/pins/shell_words.h"

#include <algorithm>

namespace modelwatch::advisories {
namespace {

constexpr int kDeepest = 8;  // nested command substitutions

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name(char c) { return is_name_start(c) || (c >= '0' && c <= '9'); }

class Shell {
 public:
  Shell(std::string_view script, Position start, Variables& variables, std::size_t indent, int depth, std::vector<Command>& out)
      : text_(script), place_(start), indent_(indent), variables_(variables), depth_(depth), commands_(out) {}

  void run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\r') {
        step();
      } else if (c == '\\' && peek(1) == '\n') {
        step(), step();
      } else if (c == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') step();
      } else if (c == '<' && peek(1) == '<' && peek(2) != '<') {
        note_here_document();
      } else if (c == '>' || c == '<') {
        redirection();
      } else if (std::string_view("\n;|&(){}").find(c) != std::string_view::npos) {
        finish();
        step();
        if (c == '\n') skip_here_documents();
      } else {
        word();
      }
    }
    finish();
  }

 private:
  char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void step() {
    if (at_ >= text_.size()) return;
    if (text_[at_++] == '\n') {
      ++place_.line;
      place_.column = indent_ + 1;
    } else {
      ++place_.column;
    }
  }

  void finish() {
    if (!command_.words.empty() || !command_.assignments.empty()) commands_.push_back(std::move(command_));
    command_ = {};
  }

  void word() {
    Word word{"", place_, true};
    const bool quoted_start = text_[at_] == '"' || text_[at_] == '\'';
    while (at_ < text_.size() && std::string_view(" \t\r\n;|&()<>").find(text_[at_]) == std::string_view::npos) piece(word, false);
    if (command_.words.empty() && !quoted_start && assignment(word)) return;
    command_.words.push_back(std::move(word));
  }

  /// One character, escape, quotation or expansion.
  void piece(Word& word, bool in_double) {
    const char c = text_[at_];
    if (c == '\\') {
      step();
      if (at_ >= text_.size()) return;
      if (text_[at_] != '\n') {
        if (in_double && std::string_view("$`\"\\").find(text_[at_]) == std::string_view::npos) word.text += '\\';
        word.text += text_[at_];
      }
      step();
    } else if (c == '\'' && !in_double) {
      for (step(); at_ < text_.size() && text_[at_] != '\''; step()) word.text += text_[at_];
      step();
    } else if (c == '"' && !in_double) {
      for (step(); at_ < text_.size() && text_[at_] != '"';) piece(word, true);
      step();
    } else if (c == '$' && peek(1) == '(') {
      step(), step();
      substitution(')');
      word.exact = false;
    } else if (c == '`') {
      step();
      substitution('`');
      word.exact = false;
    } else if (c == '$' && (peek(1) == '{' || is_name_start(peek(1)))) {
      variable(word);
    } else if (c == '$' && std::string_view("@*#?$!0123456789").find(peek(1)) != std::string_view::npos && peek(1) != '\0') {
      step(), step();
      word.exact = false;
    } else {
      word.text += c;
      step();
    }
  }

  void variable(Word& word) {
    step();
    const bool braced = text_[at_] == '{';
    if (braced) step();
    std::string name, otherwise;
    while (at_ < text_.size() && is_name(text_[at_])) name += text_[at_], step();
    bool has_default = false;
    if (braced) {
      has_default = (text_.substr(at_, 2) == ":-" || text_.substr(at_, 1) == "-");
      if (has_default) {
        while (at_ < text_.size() && (text_[at_] == ':' || text_[at_] == '-')) step();
        while (at_ < text_.size() && text_[at_] != '}' && text_[at_] != '\n') otherwise += text_[at_], step();
      } else {
        while (at_ < text_.size() && text_[at_] != '}' && text_[at_] != '\n') word.exact = false, step();
      }
      if (peek(0) == '}') step();
    }
    if (const auto known = variables_.find(name); known != variables_.end()) word.text += known->second;
    else if (has_default && otherwise.find_first_of("$`\"'") == otherwise.npos) word.text += otherwise;
    else word.exact = false;
  }

  /// The commands inside of $(…) or `…`, up to where it closes.
  void substitution(char close) {
    const std::size_t begin = at_;
    const Position place = place_;
    int open = 1;
    while (at_ < text_.size()) {
      if (text_[at_] == '\\') step();
      else if (text_[at_] == '(' && close == ')') ++open;
      else if (text_[at_] == close && --open == 0) break;
      step();
    }
    if (depth_ < kDeepest) Shell(text_.substr(begin, at_ - begin), place, variables_, indent_, depth_ + 1, commands_).run();
    step();
  }

  bool assignment(const Word& word) {
    const auto equals = word.text.find('=');
    if (equals == word.text.npos || equals == 0 || !is_name_start(word.text[0])) return false;
    const std::string name = word.text.substr(0, equals);
    if (!std::all_of(name.begin(), name.end(), is_name)) return false;
    Word value{word.text.substr(equals + 1), {word.at.line, word.at.column + equals + 1}, word.exact};
    if (value.exact) variables_[name] = value.text;
    else variables_.erase(name);
    command_.assignments[name] = std::move(value);
    return true;
  }

  void redirection() {
    while (at_ < text_.size() && (text_[at_] == '<' || text_[at_] == '>' || text_[at_] == '&')) step();
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) step();
    Word target;
    while (at_ < text_.size() && std::string_view(" \t\r\n;|&()<>").find(text_[at_]) == std::string_view::npos) piece(target, false);
  }

  void note_here_document() {
    step(), step();
    if (peek(0) == '-') step();
    while (peek(0) == ' ') step();
    Word end;
    while (at_ < text_.size() && std::string_view(" \t\r\n;|&()<>").find(text_[at_]) == std::string_view::npos) piece(end, false);
    here_documents_.push_back(end.text);
  }

  void skip_here_documents() {
    for (const std::string& end : here_documents_)
      while (at_ < text_.size()) {
        std::string_view line = text_.substr(at_, text_.find('\n', at_) - at_);
        while (at_ < text_.size() && text_[at_] != '\n') step();
        step();
        while (line.starts_with('\t')) line.remove_prefix(1);
        if (line == end) break;
      }
    here_documents_.clear();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Position place_;
  std::size_t indent_;
  Variables& variables_;
  int depth_;
  std::vector<Command>& commands_;
  Command command_;
  std::vector<std::string> here_documents_;
};

}  // namespace

std::vector<Command> shell_commands(std::string_view script, Position start, Variables variables, std::size_t indent) {
  std::vector<Command> commands;
  Shell(script, start, variables, indent, 0, commands).run();
  return commands;
}

}  // namespace modelwatch::advisories
