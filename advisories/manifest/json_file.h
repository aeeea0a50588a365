#pragma once
#include <string>
#include <string_view>

#include "advisories/manifest/snapshot.h"
#include "estimator/json/reader.h"

namespace modelwatch::advisories {

/// One JSON file of a revision, as far as it can be had.
struct JsonFile {
  enum class State {
    absent,    ///< not in the listing
    parsed,    ///< `document` holds it
    broken,    ///< not JSON: `problem` says where, `salvaged` holds what could still be read
    not_read,  ///< the bytes are not at hand: `reason` says why
  };
  State state = State::absent;
  json::Document document;
  json::Problem problem;
  json::Salvaged salvaged;
  std::string reason;

  /// The document, or what was salvaged of it; null where there is neither.
  const json::Value* value() const;
  /// Why it cannot be used, as a person reads it: "line 12, column 3: trailing comma", "not fetched: gated"; empty where it can.
  std::string trouble() const;
};

JsonFile read_json(const Snapshot& snapshot, std::string_view path);

}  // namespace modelwatch::advisories
