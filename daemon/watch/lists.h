#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/hub/client.h"
#include "storage/records.h"

namespace modelwatch::watch {

/// What one list of repositories says of the tracked rows. The rest it cannot judge: other refs than main, another
/// namespace, or beyond where the reading stopped.
struct ListVerdict {
  std::vector<std::int64_t> look;       ///< Tracked::id of those that need a check
  std::vector<std::int64_t> unchanged;  ///< same id, name and head: no request of their own is needed
};

/// Holds a list of `author`'s repositories (of all, where empty) against the rows. Heads are compared for inequality; dates
/// are never asked, since they are the commits' own and go backwards after a force-push. Not being in a list that is
/// complete is a reason to look, never a verdict: it may be private, renamed, or the list behind. What a list cannot
/// see (gating, licence, tags) is left to the slower full read. Pure.
ListVerdict judge(const std::vector<storage::Tracked>& rows, std::string_view author, const hub::RepositoryList& list);

/// Namespaces with at least `fewest` polled rows that a list can judge, the largest first: there one request of the "api"
/// bucket, up to a thousand entries long, stands for that many of the cheap poll.
std::vector<std::string> worth_listing(const std::vector<storage::Tracked>& rows, std::size_t fewest);

}  // namespace modelwatch::watch
