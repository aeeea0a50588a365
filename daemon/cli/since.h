#pragma once
#include <optional>
#include <string>

#include "estimator/error.h"
#include "storage/store.h"

namespace modelwatch::cli {

/// Where a list of revisions ends: `--since` with a date of observation ("2026-10-03", "2026-10-03T09:12:04Z"), a revision
/// (full sha or 7 digits and more), or an advisory's id, which stands for the revision that opened it.
class Since {
 public:
  static Result<Since> parse(const std::string& text, storage::Store& store);
  bool includes(const storage::RevisionRow& revision) const;

 private:
  std::optional<storage::Time> time_;
  std::string sha_;
};

/// A date or a time in UTC; none where the text is neither.
std::optional<storage::Time> parse_time(const std::string& text);

}  // namespace modelwatch::cli
