#pragma once
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "advisories/diff/lint.h"
#include "advisories/diff/part_differ.h"

namespace modelwatch::advisories::lint_checks {

/// One revision as the checks look at it, and where they put what they find.
class Revision {
 public:
  explicit Revision(const Snapshot& snapshot) : snapshot_(snapshot), documents_(snapshot) {}

  const Snapshot& snapshot() const { return snapshot_; }
  const JsonFile& file(std::string_view path) { return documents_.at(path); }
  /// The parsed document at the root, or null.
  const json::Value* document(std::string_view path);
  const json::Value* config() { return document("config.json"); }
  bool has(std::string_view path) const { return snapshot_.listing.find(path) != nullptr; }

  /// The id must be in lint_rules().
  Finding& report(std::string_view id, std::string path, std::string meaning);
  std::vector<Finding> take() { return std::move(findings_); }

 private:
  const Snapshot& snapshot_;
  Documents documents_;
  std::vector<Finding> findings_;
};

using Check = void (*)(Revision& revision);
// One family of checks a file.
void check_syntax(Revision& revision);
void check_files(Revision& revision);
void check_shape(Revision& revision);
void check_config_values(Revision& revision);
void check_code_pointers(Revision& revision);
void check_generation(Revision& revision);
void check_tokenizer(Revision& revision);
void check_terms(Revision& revision);
void check_weights_index(Revision& revision);

/// A config's value, looked for in its text_config too.
const json::Value* in_config(const json::Value* config, std::string_view key);
std::optional<std::int64_t> integer_at(const json::Value* document, std::string_view key);
std::string text_at(const json::Value* document, std::string_view key);
/// The ids of a scalar or list.
std::set<std::int64_t> ids_at(const json::Value* document, std::string_view key);
/// Text of a special token, written as a string or as an object.
std::string token_at(const json::Value* document, std::string_view key);

}  // namespace modelwatch::advisories::lint_checks
