#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace modelwatch::hub {

/// Why an operation has no answer. Expected, so a value; the caller chooses by `kind`.
struct Trouble {
  enum class Kind {
    missing,       ///< does not exist, or is private to others: the Hub does not say which to the anonymous
    gated,         ///< needs access that we do not have
    disabled,      ///< by the Hub
    no_revision,   ///< the repository is there, the revision is not (404 RevisionNotFound)
    no_entry,      ///< the revision is there, the file is not
    rate_limited,  ///< wait until `retry_at`
    refused,       ///< transient: 5xx, 408, time-out, connection; retry later
    malformed,     ///< the answer cannot be what it should be (bad JSON, wrong hash, too large)
    offline,       ///< HF_HUB_OFFLINE
    interrupted,   ///< stop was requested
  };
  Kind kind = Kind::refused;
  std::string message;     ///< one line; upstream's words are quoted and capped
  std::string request_id;  ///< x-request-id, for a report to the Hub
  std::optional<std::chrono::sys_seconds> retry_at;
};

template <class T>
using Outcome = tl::expected<T, Trouble>;

/// Answer of the cheap poll.
struct Head {
  std::string sha;         ///< 40 hex; empty where the Hub answered without X-Repo-Commit
  std::string renamed_to;  ///< new "org/name" where the Hub redirected
};

struct RepositoryInfo {
  std::string hub_id;      ///< `_id`; the present name where a server has no ids
  std::string name;        ///< present name; differs from the asked one after a rename
  std::string sha;         ///< head of the asked revision
  bool is_private = false, disabled = false;
  std::string gated;       ///< "", "auto" or "manual"
  std::int64_t downloads = 0;  ///< in 30 days, as the Hub says
  std::vector<std::string> tags;
  std::string base_model, license;  ///< from tags; empty where untold
  std::optional<std::int64_t> safetensors_total;
};

struct Commit {
  std::string sha, title;
  std::vector<std::string> authors;
  std::chrono::sys_seconds date{};
};

struct CommitList {
  std::vector<Commit> commits;  ///< newest first, the known one left out
  bool met_known = false;       ///< the known commit was reached
  bool complete = false;        ///< the end of the history was reached; neither: a cap stopped the reading
};

struct Ref {
  std::string name, ref, sha;
};

/// A repository as the poll of a list shows it: `sha` is the head of its default branch, and may be empty.
struct ListedRepository {
  std::string hub_id, name, sha, last_modified;
};

struct RepositoryList {
  std::vector<ListedRepository> repositories;  ///< as the Hub orders them: newest change first
  bool complete = false;                       ///< the end of the list was reached: who is not in it is not there
};

/// Remaining quota as last told by the RateLimit header, per bucket ("api", "resolvers", "pages").
struct Quota {
  std::int64_t limit = 0, remaining = 0;
  std::chrono::sys_seconds resets{};
};

}  // namespace modelwatch::hub
