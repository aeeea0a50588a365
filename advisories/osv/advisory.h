#pragma once
#include <optional>
#include <string>
#include <vector>

#include "advisories/diff/diff.h"
#include "advisories/impact.h"
#include "advisories/timestamp.h"
#include "estimator/error.h"
#include "estimator/json/value.h"

namespace modelwatch::advisories {

/// A repository as advisories name it.
struct RepositoryIdentity {
  std::string hub = "https://huggingface.co";  ///< what OSV `repo`, names and purl say; not where we fetch
  std::string name;                            ///< "org/name", or a legacy single segment
  std::string hub_id;                          ///< the Hub's `_id`: 24 hex, the only stable identity

  std::string url() const { return hub + "/" + name; }
};

/// The end of a state on a ref: `sha` is the first commit that no longer has it.
struct Closing {
  std::string sha;
  std::string by;                ///< "superseded", "reverted", "removed" or "rewritten"
  std::string closing_advisory;  ///< id of the advisory of the commit that closed it; empty where it got none
  /// False where a force-push went back to `sha`, an earlier revision: as a `fixed` event it would take the state's
  /// own commits out of the range, which without it ends at the abandoned line by itself.
  bool fixed = true;

  friend bool operator==(const Closing&, const Closing&) = default;
};

struct StateAt {
  std::string revision;  ///< sha
  std::string state;     ///< "sha256:…"; empty where the part did not exist there

  friend bool operator==(const StateAt&, const StateAt&) = default;
};

struct TouchedFile {
  std::string path;
  std::optional<std::string> pointer;  ///< where the part is one value of a file of another part
  std::string from_sha256, to_sha256;  ///< of the content; empty where unknown or absent

  friend bool operator==(const TouchedFile&, const TouchedFile&) = default;
};

/// One transition of one part at one commit: everything the OSV document says. The document is the stored form:
/// reading back what to_osv wrote and writing it again gives the same bytes.
struct Advisory {
  std::string id;
  RepositoryIdentity repository;
  std::vector<std::string> further_names;  ///< later names of the same repository ("org/new"), after renames
  Part part = Part::other;
  Impact impact = Impact::unknown;
  std::string kind = "modified";  ///< "added", "removed", "modified"; of the repository itself "taken-over", "history-rewritten"
  StateAt from, to;
  std::string introduced;                ///< sha of the commit where the state first appears
  std::vector<std::string> reintroduced; ///< shas where rewritten histories start that have the state as well
  std::string observed_ref = "refs/heads/main";
  std::vector<Closing> closings;         ///< one per tracked ref that left the state
  std::vector<std::string> versions;     ///< every known commit that has the state, oldest first, full lower-case shas
  std::vector<TouchedFile> files;        ///< at most kMostFiles
  std::size_t files_total = 0;           ///< how many the commit touched in this part
  std::vector<Finding> findings;         ///< at most kMostFindings, gravest first
  std::size_t findings_total = 0;
  json::Value plan;                      ///< as in Diff
  std::vector<std::string> related;
  std::string reverts;                   ///< id of the advisory this commit undoes
  std::string equals_revision;           ///< sha of the earlier revision with the equal state
  bool history_rewritten = false;
  Time published{}, modified{}, significant_at{};
  std::optional<Time> withdrawn;
  std::string withdrawn_reason;
};

inline constexpr std::size_t kMostFiles = 200, kMostFindings = 200;

/// What is the same in every document of one feed.
struct FeedIdentity {
  std::string id_prefix = "x_MODELWATCH";
  std::string public_url;            ///< for ADVISORY references; left out when empty
  std::string license = "CC0-1.0";   ///< of the feed's data
};

/// The OSV 1.9.0 document in its fixed key order (shape A of the design: package GIT + GIT range + versions).
/// Integers beyond 2^53 inside free objects are strings. Upstream text is fenced and capped.
json::Value to_osv(const Advisory& advisory, const FeedIdentity& feed);
Result<Advisory> from_osv(const json::Value& document);

/// "<prefix>-<year>-<12 hex>" of sha256 over "hf-change/1\nmodel\n<org/name>\n<sha>\n<part>"; `digits` is 16 on a collision.
std::string advisory_id(std::string_view prefix, int year, std::string_view repository, std::string_view sha, Part part,
                        std::size_t digits = 12);

}  // namespace modelwatch::advisories
