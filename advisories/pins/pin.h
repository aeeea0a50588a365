#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "advisories/impact.h"
#include "advisories/osv/purl.h"

namespace modelwatch::advisories {

/// Where in a file something stands. Lines and columns count from 1, columns in bytes; 0 = the file as a whole.
struct Position {
  std::size_t line = 0, column = 0;

  friend auto operator<=>(const Position&, const Position&) = default;
};

/// One place where somebody's files depend on a model repository.
struct Pin {
  std::string repository;           ///< "org/name"
  std::string hub{kPublicHub};
  std::string revision;             ///< as written: a commit, a branch or tag; empty where none is given
  Position at;                      ///< of the revision where there is one, else of the name
  std::string form;                 ///< how it is said: "purl", "from_pretrained", "vllm serve", …
  std::string hub_id;               ///< only a lock file knows it
  std::map<Part, std::string> states;  ///< digests of parts, only in a lock file
};

/// What cannot be used, though the file speaks of a model.
struct PinProblem {
  Position at;
  std::string reason;
};

struct PinFile {
  std::vector<Pin> pins;            ///< in the order of the file
  std::vector<PinProblem> problems;
};

/// Reads the pins of one file, by its name and, where the name does not tell, by what it holds. A file of a kind that
/// names no models has none. bad_input names line and column where a file of a known kind cannot be read.
Result<PinFile> read_pins(std::string_view path, std::string_view text);

/// Whether read_pins looks into files of this name; a walk through a folder leaves the others alone.
bool may_hold_pins(std::string_view path);

}  // namespace modelwatch::advisories
