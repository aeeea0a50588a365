#include "advisories/pins/shell_words.h"

#include <gtest/gtest.h>

namespace modelwatch::advisories {
namespace {

/// "a|b c" per command, '?' in front of a word that is not known.
std::string split(std::string_view script) {
  std::string out;
  for (const Command& command : shell_commands(script)) {
    std::string line;
    for (const auto& [name, value] : command.assignments) line += (line.empty() ? "" : "|") + name + "=" + (value.exact ? "" : "?") + value.text;
    for (const Word& word : command.words) line += (line.empty() ? "" : "|") + std::string(word.exact ? "" : "?") + word.text;
    out += line + "\n";
  }
  return out;
}

TEST(ShellWords, AreSplitAsAShellDoes) {
  const struct {
    const char *script, *words;
  } rows[] = {
      {"", ""},
      {"a b  c", "a|b|c\n"},
      {"a 'b c' \"d e\" f\\ g", "a|b c|d e|f g\n"},
      {"a'b'\"c\"d", "abcd\n"},
      {"a \"x\\\"y\\z\"", "a|x\"y\\z\n"},
      {"a # b\nc#d", "a\nc#d\n"},
      {"a \\\n  b", "a|b\n"},
      {"a;b|c&&d||e&f", "a\nb\nc\nd\ne\nf\n"},
      {"(a; b)", "a\nb\n"},
      {"X=1 a $X ${X}", "X=1|a|1|1\n"},
      {"a $UNKNOWN b", "a|?|b\n"},
      {"a ${Y:-d/e} ${Z-f}", "a|d/e|f\n"},
      {"a ${Y:?wrong}", "a|?\n"},
      {"a $1 $@", "a|?|?\n"},
      {"X=$(b c) ; d $X", "b|c\nX=?\nd|?\n"},
      {"a `b c` d", "b|c\na|?|d\n"},
      {"a > out 2>&1 < in b", "a|2|b\n"},
      {"cat <<E\nnot a command\nE\na", "cat\na\n"},
      {"cat <<-'E'\n\tnot\n\tE\na", "cat\na\n"},
      {"a <<< b", "a\n"},
      {"'X=1' a", "X=1|a\n"},
      {"a 'unterminated", "a|unterminated\n"},
      {"a \"unterminated $(b", "b\na|?unterminated \n"},
      {"a \\", "a|\n"},
      {"$((1+2))", "1+2\n?\n"},
  };
  for (const auto& row : rows) EXPECT_EQ(split(row.script), row.words) << row.script;
}

TEST(ShellWords, KnowTheirPlaces) {
  const auto commands = shell_commands("a b\n  c 'd'", {10, 5}, {}, 4);
  ASSERT_EQ(commands.size(), 2u);
  EXPECT_EQ(commands[0].words[1].at, (Position{10, 7}));
  EXPECT_EQ(commands[1].words[0].at, (Position{11, 7}));
  EXPECT_EQ(commands[1].words[1].at, (Position{11, 9}));
}

TEST(ShellWords, OfDeepNestingAreBounded) {
  std::string deep;
  for (int i = 0; i < 10'000; ++i) deep += "$(a ";
  EXPECT_LT(shell_commands(deep).size(), 20u);
}

}  // namespace
}  // namespace modelwatch::advisories
