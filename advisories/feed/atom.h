#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "advisories/osv/advisory.h"

namespace modelwatch::advisories {

/// Which Atom feed it is. `id` is permanent and says nothing of where the feed is served.
struct AtomHead {
  std::string id;       ///< atom_feed_id
  std::string title;    ///< "All advisories", "org/name", "breaking and graver"
  std::string path;     ///< "/feed.atom", under FeedIdentity::public_url; for the link to itself
};

/// "urn:modelwatch:feed:<prefix>:<what>"; `what` is "all", "repository:org/name" or "impact:breaking".
std::string atom_feed_id(const FeedIdentity& feed, std::string_view what);

/// An Atom 1.0 document (RFC 4287) of the advisories, newest significant change first, at most `most` of them: the lists of
/// the feed are the archive. `updated` is the last significant change, so that a longer list of revisions is no news.
/// Upstream's words are plain text without control characters. Without a public_url there are no links.
std::string atom_feed(const AtomHead& head, std::vector<Advisory> advisories, const FeedIdentity& feed, std::size_t most = 100);

}  // namespace modelwatch::advisories
