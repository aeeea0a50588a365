#pragma once
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "tests/hub/git/objects.h"

namespace modelwatch::testhub {

/// A file as it is pushed: text, a Content (also from disk), or a blob that is already named and shared.
/// LFS or git is decided as the Hub does, by .gitattributes and by size (10 MiB), unless `lfs` says.
struct NewFile {
  NewFile(const char* text) : content(text) {}
  NewFile(std::string text) : content(std::move(text)) {}
  NewFile(Content bytes, std::optional<bool> as_lfs = {}) : content(std::move(bytes)), lfs(as_lfs) {}
  NewFile(BlobPtr named) : content(named->content), blob(std::move(named)) {}

  Content content;
  std::optional<bool> lfs;
  BlobPtr blob;
};
using Files = std::map<std::string, NewFile>;

/// One commit to be. All other files of the branch stay, unless `only_these`.
struct Push {
  Files files = {};
  std::vector<std::string> remove = {};
  std::string title = "Upload files";
  std::string message = {};     ///< free text below the title; Co-authored-by trailers become authors
  std::string branch = "main";  ///< created where it is not there
  std::optional<std::string> onto =
      {};  ///< history is rewritten: the parent is this revision ("" = none), not the head
  bool only_these = false;
  Author author{"uploader"};
  std::optional<std::chrono::sys_seconds> date = {};  ///< the hub's clock where unset
};

enum class Gate { open, automatic, manual };
enum class Access { none, pending, rejected, granted };

struct Ref {
  std::string target;
  std::vector<std::string> earlier;  ///< targets before, the newest last: what a stale cache answers
};

/// One repository: its git history and its switches. Fields may be set at any time; the next answer shows
/// them.
class Repository {
 public:
  std::string id;    ///< the Hub's `_id`: 24 hex, never changes
  std::string name;  ///< "org/name", or a legacy name without a namespace
  std::chrono::sys_seconds created{};
  bool is_private = false, disabled = false;
  Gate gate = Gate::open;
  std::map<std::string, Access>
      access;  ///< by user name: the gate's answer, and who may read a private repository
  std::int64_t downloads = 0, likes = 0;
  std::vector<std::string> spaces;  ///< that use it

  std::string space() const;  ///< the namespace, or empty

  /// Each returns the new head of the branch. `now` dates the commit where the push does not.
  std::string push(const Push& push, std::chrono::sys_seconds now);
  std::string squash(const std::string& branch, std::chrono::sys_seconds now);

  /// Points a full ref ("refs/heads/x", "refs/tags/x", "refs/pr/1", "refs/convert/x") at a revision, whatever
  /// it was.
  void move_ref(const std::string& ref, const std::string& revision);
  void delete_ref(const std::string& ref);
  /// Drops every commit that no ref reaches: their shas answer 404 from now on.
  void forget_unreachable();

  /// Branch, tag, full ref, HEAD, sha, or the unique beginning of a sha (4 digits at least); null where there
  /// is none. `stale` answers refs as they were before their last move.
  CommitPtr resolve(const std::string& revision, bool stale = false) const;
  /// Newest first, from `commit` to the first one.
  std::vector<CommitPtr> history(CommitPtr commit) const;
  std::vector<CommitPtr> commits() const;  ///< all that are kept, reachable or not, in no order
  CommitPtr head() const { return resolve("refs/heads/main"); }
  const std::map<std::string, Ref>& refs() const { return refs_; }
  std::uint64_t used_storage() const;  ///< bytes of all LFS files of all commits

 private:
  TreePtr tree_after(const Push& push, const CommitPtr& parent) const;
  CommitPtr find_commit(const std::string& sha) const;

  std::map<std::string, Ref> refs_;
  std::unordered_map<std::string, CommitPtr> commits_;
};

}  // namespace modelwatch::testhub
