#include "tests/hub/git/repository.h"

#include <set>
#include <stdexcept>
#include <unordered_set>

namespace modelwatch::testhub {
namespace {

constexpr std::uint64_t largest_plain_file = 10ULL << 20;

BlobPtr named(const NewFile& file, const std::string& path, const std::vector<std::string>& patterns) {
  if (file.blob) return file.blob;
  const bool lfs =
      file.lfs ? *file.lfs : file.content.size() > largest_plain_file || matches_lfs(patterns, path);
  return lfs ? make_lfs_blob(file.content) : make_blob(file.content);
}

}  // namespace

std::string Repository::space() const {
  const std::size_t slash = name.find('/');
  return slash == std::string::npos ? std::string() : name.substr(0, slash);
}

TreePtr Repository::tree_after(const Push& push, const CommitPtr& parent) const {
  std::map<std::string, BlobPtr> files;
  if (parent && !push.only_these) files = parent->tree->files;
  std::string_view attributes;
  if (const auto pushed = push.files.find(".gitattributes"); pushed != push.files.end())
    attributes = pushed->second.content.bytes();
  else if (const auto present = files.find(".gitattributes"); present != files.end())
    attributes = present->second->content.bytes();
  const std::vector<std::string> patterns = lfs_patterns(attributes);
  for (const std::string& path : push.remove)
    if (files.erase(path) == 0) throw std::invalid_argument(name + ": no file " + path + " to remove");
  for (const auto& [path, file] : push.files) files[path] = named(file, path, patterns);
  return make_tree(std::move(files));
}

std::string Repository::push(const Push& push, std::chrono::sys_seconds now) {
  const std::string ref = "refs/heads/" + push.branch;
  CommitPtr parent = push.onto ? (push.onto->empty() ? nullptr : resolve(*push.onto)) : resolve(ref);
  if (push.onto && !push.onto->empty() && !parent)
    throw std::invalid_argument(name + ": no revision " + *push.onto);
  if (!parent && !push.onto && push.branch != "main") parent = head();
  std::string message = push.message;
  if (!message.empty() && message.front() != '\n') message.insert(0, "\n\n");
  const CommitPtr commit = make_commit({.id = {},
                                        .tree = tree_after(push, parent),
                                        .parent = parent ? parent->id : std::string(),
                                        .author = push.author,
                                        .date = push.date.value_or(now),
                                        .title = push.title,
                                        .message = std::move(message)});
  commits_.insert_or_assign(commit->id, commit);
  move_ref(ref, commit->id);
  return commit->id;
}

std::string Repository::squash(const std::string& branch, std::chrono::sys_seconds now) {
  const CommitPtr last = resolve("refs/heads/" + branch);
  if (!last) throw std::invalid_argument(name + ": no branch " + branch);
  const CommitPtr commit = make_commit({.id = {},
                                        .tree = last->tree,
                                        .parent = {},
                                        .author = last->author,
                                        .date = now,
                                        .title = "Super-squash branch '" + branch + "' using huggingface_hub",
                                        .message = {}});
  commits_.insert_or_assign(commit->id, commit);
  move_ref("refs/heads/" + branch, commit->id);
  return commit->id;
}

void Repository::move_ref(const std::string& ref, const std::string& revision) {
  if (!ref.starts_with("refs/")) throw std::invalid_argument(name + ": not a full ref: " + ref);
  const CommitPtr commit = resolve(revision);
  if (!commit) throw std::invalid_argument(name + ": no revision " + revision);
  Ref& entry = refs_[ref];
  if (!entry.target.empty()) entry.earlier.push_back(entry.target);
  entry.target = commit->id;
}

void Repository::delete_ref(const std::string& ref) {
  if (refs_.erase(ref) == 0) throw std::invalid_argument(name + ": no ref " + ref);
}

void Repository::forget_unreachable() {
  std::unordered_set<std::string> reached;
  for (const auto& [ref, entry] : refs_)
    for (const CommitPtr& commit : history(find_commit(entry.target))) reached.insert(commit->id);
  std::erase_if(commits_, [&](const auto& item) { return !reached.contains(item.first); });
}

CommitPtr Repository::find_commit(const std::string& sha) const {
  const auto at = commits_.find(sha);
  return at == commits_.end() ? nullptr : at->second;
}

CommitPtr Repository::resolve(const std::string& asked, bool stale) const {
  const std::string revision = asked == "HEAD" ? "refs/heads/main" : asked;
  for (const char* prefix : {"refs/heads/", "refs/tags/", ""}) {
    const auto at = refs_.find(prefix + revision);
    if (at == refs_.end()) continue;
    const bool earlier = stale && !at->second.earlier.empty();
    return find_commit(earlier ? at->second.earlier.back() : at->second.target);
  }
  if (revision.size() < 4 || revision.find_first_not_of("0123456789abcdef") != std::string::npos)
    return nullptr;
  if (revision.size() == 40) return find_commit(revision);
  CommitPtr found;
  for (const auto& [sha, commit] : commits_) {
    if (!sha.starts_with(revision)) continue;
    if (found) return nullptr;
    found = commit;
  }
  return found;
}

std::vector<CommitPtr> Repository::history(CommitPtr commit) const {
  std::vector<CommitPtr> list;
  while (commit) {
    list.push_back(commit);
    commit = find_commit(commit->parent);
  }
  return list;
}

std::vector<CommitPtr> Repository::commits() const {
  std::vector<CommitPtr> list;
  for (const auto& [sha, commit] : commits_) list.push_back(commit);
  return list;
}

std::uint64_t Repository::used_storage() const {
  std::set<std::string_view> seen;
  std::uint64_t bytes = 0;
  for (const auto& [sha, commit] : commits_)
    for (const auto& [path, blob] : commit->tree->files)
      if (blob->lfs && seen.insert(blob->lfs->sha256).second) bytes += blob->content.size();
  return bytes;
}

}  // namespace modelwatch::testhub
