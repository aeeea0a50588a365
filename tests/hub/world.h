#pragma once
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/hub/clock.h"
#include "tests/hub/fault.h"
#include "tests/hub/git/repository.h"
#include "tests/hub/quota.h"

namespace modelwatch::testhub {

struct User {
  std::string name;
  std::string token;
  Plan plan = Plan::free;
  std::vector<std::string> organisations = {};  ///< owns their repositories, as well as its own
};

struct Creation {
  Files files = {};  ///< pushed after the initial commit; none: that commit alone
  bool is_private = false;
  Gate gate = Gate::open;
  std::optional<std::chrono::sys_seconds> date = {};
  std::string id = {};         ///< made up where empty
  bool initial_commit = true;  ///< .gitattributes by "system", as the Hub does
};

/// How the service behaves as a whole: what differs between the Hub of today, of April, a mirror and a proxy.
struct Behaviour {
  std::string public_base;  ///< origin written into Link and messages; empty: the hub's own address
  bool xet_headers = true;  ///< x-xet-hash and its Link on the 302
  bool linked_etag_on_redirect = true;  ///< x-linked-etag on the 307 of a plain file
  bool redirect_plain_files = true;     ///< false: plain files answer 200 at once, as mirrors do
  bool pin_ranges = true;               ///< a Range sent to /resolve is written into the signed URL
  bool content_length = true;
  bool gzip = false;  ///< text is compressed where the client accepts it
  bool ignore_range = false;
  bool conditional_api = true;    ///< If-None-Match on /api/* is honoured
  bool error_codes = true;        ///< X-Error-Code and X-Error-Message
  bool retry_after = false;       ///< on a 429 of the quota
  bool html_429 = false;          ///< body of a 429 of the quota
  bool refuse_bad_tokens = true;  ///< 401 even on public repositories; false: treated as anonymous
  bool gated_refs = true;         ///< refs and paths-info of a gated repository answer without access
  std::uint64_t largest_whole_download = 20'000'000'000;  ///< bytes; a larger GET without Range is a 400
  std::size_t tree_page = 1000, expanded_tree_page = 50;
  std::chrono::milliseconds expand_delay{0};  ///< real time that tree?expand=true takes
  std::chrono::seconds url_lifetime{3600};    ///< of signed URLs, in the hub's time
};

/// Everything the service knows. Not thread-safe: TestHub lends it under its lock (`hub->push(…)`). Mistakes
/// of the caller (unknown repository, file, revision) throw std::invalid_argument with the name in it.
class World {
 public:
  Clock clock;
  Quotas quotas;
  Faults faults;
  Behaviour behaviour;
  std::string hub_url, cdn_url;  ///< own origins, set when listening
  std::string signing_key = "test hub signing key";

  Repository& create(const std::string& name, Creation creation = {});
  Repository& repository(const std::string& name);
  std::string push(const std::string& name, Push push);
  /// Points a branch at a revision it has left or never had.
  void force_push(const std::string& name, const std::string& revision, const std::string& branch = "main");
  /// One commit instead of the history; with `forget` the old shas answer 404.
  std::string super_squash(const std::string& name, const std::string& branch = "main", bool forget = true);
  /// Opens refs/pr/<n> with one commit on top of main; returns n.
  int open_pull_request(const std::string& name, Push push);
  void tag(const std::string& name, const std::string& tag, const std::string& revision = "main");
  /// The old name redirects until it is taken again.
  void rename(const std::string& from, const std::string& to);
  void redirect(const std::string& alias, const std::string& name);  ///< a legacy name, as gpt2
  void remove(const std::string& name);
  void add_user(User user);
  void set_access(const std::string& name, const std::string& user, Access access);

  const User* user_of_token(std::string_view token) const;
  bool owns(const User* user, const Repository& repository) const;
  bool may_see(const User* user, const Repository& repository) const;  ///< private ones
  bool passes_gate(const User* user, const Repository& repository) const;
  /// The repository of that exact name; or the one that letter case, a rename or a legacy name leads to.
  Repository* find(const std::string& name) const;
  Repository* find_moved(const std::string& name) const;
  Repository* find_id(const std::string& id) const;
  std::string public_base() const { return behaviour.public_base.empty() ? hub_url : behaviour.public_base; }
  std::size_t size() const { return repositories_.size(); }

  template <class F>
  void each(F&& visit) const {
    for (const auto& [key, repository] : repositories_) visit(*repository);
  }

 private:
  std::map<std::string, std::unique_ptr<Repository>> repositories_;  ///< by lower-case name
  std::map<std::string, Repository*> aliases_;      ///< lower-case old name → who had it last
  std::map<std::string, User, std::less<>> users_;  ///< by token
  std::map<std::string, Repository*> ids_;
  std::size_t created_ = 0;
};

}  // namespace modelwatch::testhub
