#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/hub/client.h"

namespace modelwatch::watch {

/// The revisions a check has to process, oldest first, and how the ref came to them.
struct Walk {
  std::vector<hub::Commit> revisions;
  bool rewritten = false;         ///< the known head is no ancestor of the first of them
  bool ancestry_unknown = false;  ///< a cap stopped the reading before that could be told; only the new head is taken
  std::string base;               ///< where rewritten: the newest stored revision of the new history, may be its head
};

/// Pure. `known` is the head processed last, empty at first sight. History counts as rewritten only where its end was
/// reached without meeting `known`; then what lies above the newest stored revision is new, and where none is stored,
/// as after a squash, the new head alone. `is_stored` is asked newest first, and only for a rewritten history.
Walk walk(hub::CommitList list, std::string_view known, const std::function<bool(const std::string& sha)>& is_stored);

}  // namespace modelwatch::watch
