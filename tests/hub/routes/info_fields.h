#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "tests/hub/routes/context.h"
#include "tests/hub/routes/summary.h"

namespace modelwatch::testhub {

/// Writes the fields of one repository's description. The summary of its files is made when first needed: a
/// list of a hundred shas reads no file.
class InfoFields {
 public:
  InfoFields(const Repository& repository, CommitPtr commit)
      : repository_(repository), commit_(std::move(commit)) {}

  /// The field's value; nothing where it has none and the Hub leaves it out. Unknown names have no value.
  std::optional<json::Value> value(std::string_view field) const;
  /// `blobs`: with blobId, size and lfs of each file; `masked`: no sha256, as in the tree of a gated repository.
  json::Array siblings(bool blobs, bool masked = false) const;

 private:
  const Summary& summary() const;

  const Repository& repository_;
  CommitPtr commit_;  ///< null for a repository without any
  mutable std::optional<Summary> summary_;
};

/// The names `expand` may have; 400 names them where one is not among them.
tl::expected<std::vector<std::string>, Reply> expanded_fields(const Query& query);
/// `_id`, `id` and the asked fields, in the Hub's order.
json::Object expanded_info(const InfoFields& fields, const Repository& repository,
                           const std::vector<std::string>& asked);

}  // namespace modelwatch::testhub
