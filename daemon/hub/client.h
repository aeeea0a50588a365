#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "advisories/manifest/snapshot.h"
#include "daemon/hub/answers.h"

namespace modelwatch::hub {

class Transport;

struct ClientOptions {
  std::string endpoint = "https://huggingface.co";  ///< HF_ENDPOINT
  std::string token;                                ///< empty = anonymous
  bool offline = false;
  std::string user_agent = "modelwatch";
  std::chrono::milliseconds connect_timeout{10'000}, idle_timeout{10'000};
  int max_commits = 10'000;
  std::chrono::milliseconds retry_pause{500};       ///< before the second try, spread by half; doubles for the third
  std::function<std::chrono::sys_seconds()> clock;  ///< for quotas; the system's where empty
};

/// Reading side of the Hub's wire protocol. Blocking; each call ends within 50 ms of a stop request. One object = one
/// worker (connections are kept). The token goes to the endpoint's origin only.
class Client {
 public:
  Client(ClientOptions options, std::unique_ptr<Transport> transport);
  Client(Client&&) noexcept;
  ~Client();

  /// One HEAD on .gitattributes (never a file that counts as a download); README.md for gated repositories.
  Outcome<Head> head(std::string_view name, std::string_view ref, std::stop_token stop);
  Outcome<RepositoryInfo> info(std::string_view name, std::string_view ref, std::stop_token stop);
  /// Newest first until `known` is met, `limit` reached or the history ends. `ref` had better be the head's sha: a push
  /// between two pages of a branch shifts them (what then comes twice is left out), a force-push mixes two histories.
  Outcome<CommitList> commits(std::string_view name, std::string_view ref, std::string_view known, int limit, std::stop_token stop);
  Outcome<std::vector<Ref>> refs(std::string_view name, std::stop_token stop);
  /// Recursive, all pages, at a full sha. This and the following take no branch (std::invalid_argument): a push in
  /// between would mix two revisions.
  Outcome<advisories::Listing> tree(std::string_view name, std::string_view sha, std::stop_token stop);
  /// One file whole, its hash verified against the listing (git oid or LFS sha256); `limit` in bytes.
  Outcome<advisories::Bytes> file(std::string_view name, std::string_view sha, const advisories::ListedFile& file,
                                  std::uint64_t limit, std::stop_token stop);
  /// The header of a safetensors file (8 + N bytes, N at most 25 MB), by ranges on the CDN; N is checked before anything is
  /// allocated.
  Outcome<advisories::Bytes> safetensors_header(std::string_view name, std::string_view sha, const advisories::ListedFile& file,
                                                std::stop_token stop);
  /// The header of a GGUF file (key/values and tensor infos, at most 64 MB), by growing ranges.
  Outcome<advisories::Bytes> gguf_header(std::string_view name, std::string_view sha, const advisories::ListedFile& file,
                                         std::stop_token stop);
  /// Repositories of an author (or all, `author` empty), until `limit`, the end, or one not newer than `since` (a
  /// last_modified; empty: all). That date is the head commit's own, so a push of old commits hides behind `since`.
  Outcome<RepositoryList> list(std::string_view author, std::string_view since, int limit, std::stop_token stop);

  std::optional<Quota> quota(std::string_view bucket) const;
  /// The endpoint answered 401 to the token last time. Without it public repositories are still read, private ones look
  /// missing.
  bool token_refused() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace modelwatch::hub
