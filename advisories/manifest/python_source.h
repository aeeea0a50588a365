#pragma once
#include <set>
#include <string>
#include <string_view>

namespace modelwatch::advisories {

/// What a Python file shows to a reader who does not run it: a scan of its text outside comments and plain strings. It
/// can be fooled on purpose; it is evidence for a person, never a proof of harmlessness.
struct PythonScan {
  std::set<std::string> imports;  ///< top-level packages
  std::set<std::string> reaches;  ///< "subprocess", "network", "eval", "pickle", "native code", "files", "remote code", "installs packages"
};
PythonScan scan_python(std::string_view source);

/// The names of the packages that a requirements file asks for, each with the rest of its line.
std::set<std::string> requirement_lines(std::string_view text);

/// The source without comments, white space at line ends and blank lines: equal where the program is the same text.
std::string without_comments(std::string_view source);

}  // namespace modelwatch::advisories
