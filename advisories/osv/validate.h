#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "estimator/json/value.h"

namespace modelwatch::advisories {

/// A rule that a document breaks.
struct Violation {
  std::string rule;     ///< "schema"; "REC:001" … as osv-linter names them; "feed" for what only a feed of ours promises
  std::string pointer;  ///< RFC 6901 to the place
  std::string text;

  std::string to_string() const { return rule + " at " + (pointer.empty() ? "/" : pointer) + ": " + text; }
};

/// Everything an advisory of a feed like ours must be: the rules of OSV schema 1.9.0 for the fields we write, the
/// checks of osv-linter, and what both leave to the emitter (anchored times, ids and hashes, real URLs, no duplicates,
/// no unknown keys outside of free objects, no integer beyond 2^53, no raw HTML, UTF-8, `published` before `modified`).
/// `prefix` is that of the ids, "x_MODELWATCH". Empty = sound.
std::vector<Violation> validate(const json::Value& document, std::string_view prefix);

}  // namespace modelwatch::advisories
