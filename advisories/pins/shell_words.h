#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "advisories/pins/pin.h"

namespace modelwatch::advisories {

/// A word of a shell command after quoting and what is known of variables.
struct Word {
  std::string text;
  Position at;        ///< of its first character
  bool exact = true;  ///< false where an expansion in it is not known
};

/// A simple command: leading assignments are variables, the rest are words.
struct Command {
  std::map<std::string, Word> assignments;
  std::vector<Word> words;
};

using Variables = std::map<std::string, std::string>;

/// Reads a script the way a POSIX shell splits it: quotes, escapes, comments, continued lines, here-documents (passed
/// over), operators, command substitutions (as commands of their own). Nothing is run; variables that the script
/// itself sets to plain text are put in, `${NAME:-text}` counts as the text where NAME is not set. `indent` is the
/// number of columns that stand before every line but the first, which begins at `start`.
std::vector<Command> shell_commands(std::string_view script, Position start = {1, 1}, Variables variables = {}, std::size_t indent = 0);

}  // namespace modelwatch::advisories
