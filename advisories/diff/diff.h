#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "advisories/impact.h"
#include "advisories/manifest/snapshot.h"
#include "estimator/json/value.h"

namespace modelwatch::advisories {

/// One thing that changed, by meaning. Findings are one per pointer and path; those of one cause share `cause`.
struct Finding {
  std::string rule;  ///< stable and documented, e.g. "config.eos_token_id.added"
  Impact impact = Impact::unknown;
  std::string path;                     ///< file the finding is about; empty where it is about the repository
  std::optional<std::string> pointer;   ///< RFC 6901 into a JSON file ("" = the whole file); none for tensors, tokens, templates
  std::optional<json::Value> before;    ///< none where the thing was absent
  std::optional<json::Value> after;
  std::string meaning;                  ///< one sentence with old and new value and the consequence
  json::Object evidence;                ///< counts, examples, names of tensors or tokens, method of the judgement
  std::string cause;                    ///< empty where the finding stands alone
};

/// Everything that changed in one part.
struct Change {
  Part part = Part::other;
  Impact impact = Impact::cosmetic;  ///< the gravest of the findings
  std::string kind = "modified";     ///< "added", "removed" or "modified": whether the part was there on both sides
  std::string summary;               ///< one line a person would put into a changelog
  std::vector<Finding> findings;     ///< gravest first, then by path and pointer
};

struct Unreadable {
  std::string path;
  std::string side;    ///< "before" or "after"
  std::string reason;  ///< "line 12, column 3: trailing comma", "not fetched: gated", …
};

/// The difference of two snapshots.
struct Diff {
  Impact impact = Impact::cosmetic;   ///< the gravest of the parts
  std::vector<Change> parts;          ///< in the order of enum Part; only parts in which something changed
  json::Value plan;                   ///< null where nothing that moves the estimate changed, else {before, after, moved, unknown}
  std::vector<Unreadable> unreadable;
};

/// Pure, deterministic, bounded. Reads from the contents only what differs between the listings.
Diff diff(const Snapshot& before, const Snapshot& after);

/// The `modelwatch/diff/1` document of docs/json.md.
json::Value to_json(const Diff& diff);
json::Value to_json(const Finding& finding);
/// Reads back what to_json(Finding) wrote: findings are stored as JSON.
Finding finding_from_json(const json::Value& value);

/// The digest ("sha256:<hex>") of what each present part means: equal where a loader would see no difference
/// (key order, white space, synonyms, defaults, moved templates). A part that could not be read has the digest
/// of its files' identities. Absent parts have no entry.
using States = std::map<Part, std::string>;
States states(const Snapshot& snapshot);
/// The same, taking over the digests of parts none of whose files differ from an earlier revision's listing.
States states_after(const Snapshot& before, const States& states_before, const Snapshot& after);

}  // namespace modelwatch::advisories
