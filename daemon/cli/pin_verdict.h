#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "advisories/pins/pin.h"
#include "storage/records.h"

namespace modelwatch::cli {

/// What a pin is judged by: a repository and its revisions on the tracked ref.
struct PinnedHistory {
  storage::Tracked tracked;
  std::vector<storage::RevisionRow> revisions;                     ///< newest first
  std::map<std::string, std::vector<storage::ChangeRow>> changes;  ///< by sha
};

enum class PinStatus { current, behind, gone, taken_over, moving, unknown };
std::string_view name(PinStatus status);  ///< "taken-over" and so on: contract

/// All changes of one part between the pin and the head.
struct PartBehind {
  advisories::Part part{};
  advisories::Impact impact{};
  int revisions = 0;
  std::string summary;  ///< of the gravest, the newest of these
};

struct PinVerdict {
  std::string file;
  advisories::Pin pin;
  PinStatus status = PinStatus::unknown;
  std::string reason;                  ///< why, where the status does not say all
  std::string revision;                ///< full sha that the pin stands for; empty where it stands for none
  std::string head;                    ///< of the tracked ref; empty where the repository is not tracked
  int behind = 0;                      ///< revisions from the pin to the head
  std::optional<advisories::Impact> impact;  ///< the gravest between them; none where nothing changed
  std::vector<PartBehind> parts;       ///< gravest first
  /// The newest revision that is reached from the pin without a change of `below` or graver; none where that is the pin.
  std::string newest_below;
  int newest_below_revisions = 0;      ///< how far from the pin
  struct Match {
    std::string id;
    advisories::Part part{};
    advisories::Impact impact{};
  };
  std::vector<Match> advisories;       ///< that list the pinned revision: what it is, not what came after
  std::string lock_problem;            ///< how it differs from the lock it is held to; empty where it does not

  /// Whether the check fails by it: gone, taken over and not as locked always, else as `--fail-on` says for changes
  /// between pin and head, and `--fail-on-present` for the revision itself.
  bool fails(std::optional<advisories::Impact> fail_on, std::optional<advisories::Impact> fail_on_present) const;
};

/// Pure. `history` is null where the repository is not tracked.
PinVerdict judge(std::string file, const advisories::Pin& pin, const PinnedHistory* history, advisories::Impact below);

}  // namespace modelwatch::cli
