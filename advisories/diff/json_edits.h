#pragma once
#include "advisories/diff/dialect.h"
#include "advisories/diff/part_differ.h"

namespace modelwatch::advisories {

struct JsonPair {
  const DiffInput& input;
  const std::string& path;
  const Dialect& dialect;
  const json::Value& before;
  const json::Value& after;
};

/// One finding per pointer that differs, by the rules of the dialect; equal meaning in another spelling is cosmetic.
void judge_edits(const JsonPair& pair, std::vector<Finding>& findings);

}  // namespace modelwatch::advisories
