#pragma once
#include <functional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "daemon/hub/client.h"
#include "daemon/watch/step.h"
#include "storage/store.h"

namespace modelwatch::watch {

/// The most that is read for one revision, in bytes; what comes after is "not read". One 33 MB tokenizer, a hundred
/// configurations and the headers of two hundred shards are a third of it.
inline constexpr std::uint64_t kMostBytes = 192'000'000;

/// A revision as its readers need it: the listing, and the bytes that were not stored yet.
struct Fetched {
  advisories::Snapshot snapshot;             ///< reads the new bytes from memory, the others from the Store
  std::vector<storage::StoredFile> files;    ///< the whole listing, bytes only where they are new
};

/// Lists the revision at its sha and fetches what is wanted (advisories::fetch_of) and not stored under its identity.
/// A file that cannot be had (gated, too large, wrong bytes twice) is not read, with the reason; a Hub that does not
/// answer ends the check, so that the revision is read whole another time. `told(done, total)` counts files.
Step<Fetched> fetch_revision(hub::Client& hub, storage::Store& store, std::string_view name, std::string_view sha,
                             const std::function<void(int done, int total)>& told, std::stop_token stop);

}  // namespace modelwatch::watch
