#include "daemon/watch/lists.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace modelwatch::watch {

namespace {

using hub::ListedRepository;
using storage::Tracked;

enum class Finding { unjudged, look, unchanged };

std::string_view space_of(std::string_view name) {
  const auto slash = name.find('/');
  return slash == std::string_view::npos ? std::string_view() : name.substr(0, slash);
}

/// A list shows the default branch of what can be seen; rows that wait for the Hub to change its mind keep their own pace.
bool can_be_judged(const Tracked& row) {
  return row.polled && row.ref == "main" && row.access != "gone" && row.access != "disabled";
}

class Judge {
 public:
  Judge(std::string_view author, const hub::RepositoryList& list) : author_(author), complete_(list.complete) {
    for (const ListedRepository& repository : list.repositories) {
      by_name_.emplace(repository.name, &repository);
      if (!repository.hub_id.empty()) by_id_.emplace(repository.hub_id, &repository);
    }
  }

  Finding of(const Tracked& row) const {
    if (!can_be_judged(row)) return Finding::unjudged;
    const ListedRepository* same = find(by_id_, row.hub_id);
    const ListedRepository* namesake = find(by_name_, row.name);
    if (!same && namesake && namesake->hub_id.empty()) same = namesake;  // a server without ids
    if (same) {
      if (same->name != row.name) return Finding::look;
      if (same->sha.empty()) return Finding::unjudged;
      return same->sha == row.head ? Finding::unchanged : Finding::look;
    }
    if (namesake) return Finding::look;  // first sight, or somebody else's now
    const bool should_be_there = complete_ && (author_.empty() || space_of(row.name) == author_);
    return should_be_there ? Finding::look : Finding::unjudged;
  }

 private:
  using Index = std::unordered_map<std::string_view, const ListedRepository*>;
  static const ListedRepository* find(const Index& index, const std::string& key) {
    const auto at = index.find(key);
    return at == index.end() ? nullptr : at->second;
  }

  std::string_view author_;
  bool complete_;
  Index by_name_, by_id_;
};

}  // namespace

ListVerdict judge(const std::vector<Tracked>& rows, std::string_view author, const hub::RepositoryList& list) {
  const Judge judge(author, list);
  ListVerdict verdict;
  for (const Tracked& row : rows) {
    switch (judge.of(row)) {
      case Finding::look: verdict.look.push_back(row.id); break;
      case Finding::unchanged: verdict.unchanged.push_back(row.id); break;
      case Finding::unjudged: break;
    }
  }
  return verdict;
}

std::vector<std::string> worth_listing(const std::vector<Tracked>& rows, std::size_t fewest) {
  std::map<std::string_view, std::size_t> spaces;
  for (const Tracked& row : rows) {
    if (const auto space = space_of(row.name); !space.empty() && can_be_judged(row)) ++spaces[space];
  }
  std::vector<std::pair<std::size_t, std::string_view>> large;
  for (const auto& [space, count] : spaces) {
    if (count >= fewest) large.emplace_back(count, space);
  }
  std::stable_sort(large.begin(), large.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> names;
  for (const auto& [count, space] : large) names.emplace_back(space);
  return names;
}

}  // namespace modelwatch::watch
