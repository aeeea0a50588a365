#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/hub/git/content.h"

namespace modelwatch::testhub {

/// What git stores beside an LFS file: its pointer text.
struct Lfs {
  std::string sha256;   ///< of the content
  std::string pointer;  ///< the text that is the git blob
};

/// One file's content under its real git name. `oid` of an LFS file is the name of its pointer.
struct Blob {
  Content content;
  std::string oid;
  std::optional<Lfs> lfs;
  std::string xet_hash;  ///< 64 hex, unlike the sha256; empty for plain files
};
using BlobPtr = std::shared_ptr<const Blob>;

BlobPtr make_blob(Content content);
BlobPtr make_lfs_blob(Content content);

std::string lfs_pointer(std::string_view sha256, std::uint64_t size);

/// One revision's files, by full path in byte order, and the real git names of all directories.
struct Tree {
  std::string oid;
  std::map<std::string, BlobPtr> files;
  std::map<std::string, std::string> directories;  ///< path → tree oid, the root left out

  const BlobPtr* find(const std::string& path) const;
};
using TreePtr = std::shared_ptr<const Tree>;

TreePtr make_tree(std::map<std::string, BlobPtr> files);

struct Author {
  std::string name;
  std::string mail = {};  ///< "<name>@users.example" where empty
};

struct Commit {
  std::string id;
  TreePtr tree;
  std::string parent;  ///< empty for the first commit
  Author author;
  std::chrono::sys_seconds date{};
  std::string title;
  std::string message;  ///< what follows the title, with its leading newlines
};
using CommitPtr = std::shared_ptr<const Commit>;

/// Fills in `id` and shares the commit.
CommitPtr make_commit(Commit commit);

/// The patterns of a .gitattributes text that say filter=lfs.
std::vector<std::string> lfs_patterns(std::string_view gitattributes);
bool matches_lfs(const std::vector<std::string>& patterns, const std::string& path);
/// The .gitattributes every new repository of the Hub starts with (blob a6344aac…).
const BlobPtr& default_gitattributes();

}  // namespace modelwatch::testhub
