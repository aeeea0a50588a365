#include "daemon/watch/walk.h"

#include <algorithm>

namespace modelwatch::watch {

Walk walk(hub::CommitList list, std::string_view known, const std::function<bool(const std::string& sha)>& is_stored) {
  Walk walk;
  std::vector<hub::Commit>& commits = list.commits;  // newest first
  if (!known.empty() && !list.met_known && !commits.empty()) {
    walk.rewritten = list.complete;
    walk.ancestry_unknown = !list.complete;
    std::size_t fresh = 1;
    if (walk.rewritten) {
      const auto stored = std::find_if(commits.begin(), commits.end(), [&](const auto& c) { return is_stored(c.sha); });
      if (stored != commits.end()) {
        walk.base = stored->sha;
        fresh = std::max<std::size_t>(static_cast<std::size_t>(stored - commits.begin()), 1);
      }
    }
    commits.resize(fresh);
  }
  walk.revisions.assign(std::make_move_iterator(commits.rbegin()), std::make_move_iterator(commits.rend()));
  return walk;
}

}  // namespace modelwatch::watch
