#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "advisories/diff/diff.h"
#include "advisories/manifest/snapshot.h"
#include "advisories/osv/advisory.h"

namespace modelwatch::storage {

using advisories::Time;

/// How much of a repository's past is read at first sight.
struct History {
  std::optional<int> revisions = 20;  ///< none = full; 0 = only the head
};

/// A repository and a ref that is polled, or was. One that is gone is still polled, rarely: it may come back.
struct Tracked {
  std::int64_t id = 0;             ///< of the (repository, ref) pair
  std::int64_t repository = 0;     ///< row of the repository; 0 until its first answer
  std::string name;                ///< present name, "org/name"
  std::string hub_id;              ///< `_id`; empty until its first answer
  std::string ref = "main";
  History history;
  bool polled = true;              ///< false after `repo remove`
  std::string head;                ///< sha last processed; empty before the baseline
  std::string access = "open";     ///< "open", "gated", "private", "disabled", "gone", "taken-over"
  int misses = 0;                  ///< polls in a row that found nothing
  std::optional<Time> first_miss;
  std::optional<Time> last_check, last_change, last_full_read;
  std::optional<Time> next_check;  ///< when the schedule wants it; kept so that a restart does not poll everything at once
  std::string last_error;          ///< of the last check; empty when it went well
  json::Object facts;              ///< what the last full read said that no commit carries (tags, refs, downloads, …)
};

/// What the schedule needs of a polled row.
struct Polled {
  std::int64_t id = 0;             ///< Tracked::id
  std::string name, ref;
  std::optional<Time> next_check;
};

/// A file's place in storage: whole bytes or header, or why there are none.
struct StoredFile {
  advisories::ListedFile file;
  advisories::Bytes bytes;         ///< null where not read
  std::string not_read;            ///< why; empty where nothing wanted to be read
};

/// A file with certain bytes: where, and the newest revision that has it.
struct FilePlace {
  std::string repository, sha, path;
};

/// An event of a repository's life that no commit carries.
struct RepositoryEvent {
  std::string kind;                ///< "renamed", "taken-over", "gated", "ungated", "private", "gone", "back", "disabled", "ref-moved", "history-rewritten", …
  Time at{};
  json::Object detail;             ///< old and new name, shas, …
  advisories::Impact impact = advisories::Impact::unknown;
  std::string meaning;             ///< one sentence
};

/// One processed revision, as the pipeline hands it over. Keyed (repository, sha): writing it again changes nothing.
struct RevisionRecord {
  std::int64_t tracked = 0;
  std::string sha, parent;         ///< parent: predecessor on the ref as processed; empty for a baseline
  Time committed{};                ///< upstream's date
  Time seen{};
  std::string title;               ///< of the commit, upstream's words, capped at 500 bytes
  std::vector<std::string> authors;
  bool rewritten = false;
  std::vector<StoredFile> files;   ///< the whole listing; bytes only where new
  advisories::States states;
  std::optional<advisories::Diff> diff;  ///< none for a baseline
  json::Value plan;                ///< plan summary of this revision (docs/json.md), null where it cannot be planned
  std::optional<RepositoryEvent> event;  ///< how the ref came here where not by a commit on top: "history-rewritten", "ref-moved"
};

/// Rows for people and programs.
struct RevisionRow {
  std::string sha, parent, title;
  std::vector<std::string> authors;
  Time committed{}, seen{};
  bool baseline = false, rewritten = false;
  std::vector<std::pair<advisories::Part, std::string>> parts;  ///< part → same, changed, added, removed, unreadable
  advisories::Impact impact = advisories::Impact::cosmetic;
  std::vector<std::string> advisories;
};

struct ChangeRow {
  std::int64_t sequence = 0;       ///< order of observation; the cursor of the stream
  std::string repository, sha;     ///< sha empty for an event that came without a revision
  std::string event;               ///< "change", or the kind of a RepositoryEvent
  Time committed{}, seen{};
  advisories::Part part = advisories::Part::other;
  advisories::Impact impact = advisories::Impact::unknown;
  std::string summary;
  json::Value findings;            ///< array, as to_json(Finding) wrote them; empty for events
  std::string advisory;            ///< empty where the change got none
  json::Value plan;                ///< as in Diff
  json::Object detail = {};        ///< RepositoryEvent::detail; empty for changes
};

struct ChangeFilter {
  std::optional<std::string> repository;          ///< name, present or former
  std::optional<advisories::Part> part;
  std::optional<advisories::Impact> at_least;
  std::int64_t after = 0;                         ///< sequence
  std::optional<Time> since;                      ///< by date of observation
};

/// A stored OSV document as it is served.
struct DocumentRow {
  std::string id;
  Time modified{};
  std::string document;            ///< compact JSON
};

/// Keyset page over (modified, id), newest first.
struct DocumentPage {
  std::vector<DocumentRow> rows;
  std::optional<std::pair<Time, std::string>> next;  ///< key of the last row where more follow
};

}  // namespace modelwatch::storage
