#include "tests/hub/git/objects.h"

#include <fnmatch.h>

#include <stdexcept>

#include "tests/hub/git/digest.h"

namespace modelwatch::testhub {
namespace {

std::string raw_id(std::string_view hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    out += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return out;
}

/// Full paths in byte order are already in git's order: a directory sorts as if its name ended in '/'.
class TreeBuilder {
 public:
  explicit TreeBuilder(Tree& tree) : tree_(tree), at_(tree.files.begin()) {}

  std::string build(const std::string& prefix) {
    std::string entries;
    while (at_ != tree_.files.end() && at_->first.compare(0, prefix.size(), prefix) == 0) {
      const std::string& path = at_->first;
      const std::size_t slash = path.find('/', prefix.size());
      if (slash == std::string::npos) {
        append(entries, "100644", path.substr(prefix.size()), at_->second->oid);
        ++at_;
        continue;
      }
      const std::string directory = path.substr(0, slash);
      const std::string oid = build(directory + "/");
      tree_.directories.emplace(directory, oid);
      append(entries, "40000", directory.substr(prefix.size()), oid);
    }
    return git_object_id("tree", entries);
  }

 private:
  static void append(std::string& entries, std::string_view mode, const std::string& name,
                     std::string_view oid) {
    if (name.empty() || name == "." || name == "..")
      throw std::runtime_error("not a file name: '" + name + "'");
    entries.append(mode).append(" ").append(name);
    entries += '\0';
    entries += raw_id(oid);
  }

  Tree& tree_;
  std::map<std::string, BlobPtr>::const_iterator at_;
};

std::string signature(const Author& author, std::chrono::sys_seconds date) {
  const std::string mail = author.mail.empty() ? author.name + "@users.example" : author.mail;
  return author.name + " <" + mail + "> " + std::to_string(date.time_since_epoch().count()) + " +0000\n";
}

}  // namespace

BlobPtr make_blob(Content content) {
  std::string oid = git_object_id("blob", content);
  return std::make_shared<const Blob>(Blob{std::move(content), std::move(oid), std::nullopt, {}});
}

BlobPtr make_lfs_blob(Content content) {
  const std::string sha256 =
      content.stand_in().empty() ? sha256_hex(content) : sha256_hex(content.stand_in());
  std::string pointer = lfs_pointer(sha256, content.size());
  std::string oid = git_object_id("blob", pointer);
  std::string xet = sha256_hex("xet " + sha256);
  return std::make_shared<const Blob>(
      Blob{std::move(content), std::move(oid), Lfs{sha256, std::move(pointer)}, std::move(xet)});
}

std::string lfs_pointer(std::string_view sha256, std::uint64_t size) {
  return "version https://git-lfs.github.com/spec/v1\noid sha256:" + std::string(sha256) + "\nsize " +
         std::to_string(size) + "\n";
}

const BlobPtr* Tree::find(const std::string& path) const {
  const auto at = files.find(path);
  return at == files.end() ? nullptr : &at->second;
}

TreePtr make_tree(std::map<std::string, BlobPtr> files) {
  auto tree = std::make_shared<Tree>();
  tree->files = std::move(files);
  tree->oid = TreeBuilder(*tree).build("");
  return tree;
}

CommitPtr make_commit(Commit commit) {
  std::string text = "tree " + commit.tree->oid + "\n";
  if (!commit.parent.empty()) text += "parent " + commit.parent + "\n";
  text += "author " + signature(commit.author, commit.date);
  text += "committer " + signature(commit.author, commit.date);
  text += "\n" + commit.title + commit.message;
  commit.id = git_object_id("commit", text);
  return std::make_shared<const Commit>(std::move(commit));
}

std::vector<std::string> lfs_patterns(std::string_view gitattributes) {
  std::vector<std::string> patterns;
  while (!gitattributes.empty()) {
    const std::string_view line = gitattributes.substr(0, gitattributes.find('\n'));
    gitattributes.remove_prefix(std::min(gitattributes.size(), line.size() + 1));
    const std::size_t end = line.find(' ');
    if (end == std::string_view::npos || line.front() == '#') continue;
    if (line.find("filter=lfs", end) != std::string_view::npos) patterns.emplace_back(line.substr(0, end));
  }
  return patterns;
}

bool matches_lfs(const std::vector<std::string>& patterns, const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  for (const std::string& pattern : patterns) {
    if (const std::size_t deep = pattern.find("/**"); deep != std::string::npos) {
      if (path.compare(0, deep + 1, pattern, 0, deep + 1) == 0) return true;
      continue;
    }
    const bool anchored = pattern.find('/') != std::string::npos;
    if (::fnmatch(pattern.c_str(), (anchored ? path : name).c_str(), anchored ? FNM_PATHNAME : 0) == 0)
      return true;
  }
  return false;
}

const BlobPtr& default_gitattributes() {
  static const BlobPtr blob = [] {
    std::string text;
    for (const char* pattern : {"*.7z",          "*.arrow",
                                "*.bin",         "*.bz2",
                                "*.ckpt",        "*.ftz",
                                "*.gz",          "*.h5",
                                "*.joblib",      "*.lfs.*",
                                "*.mlmodel",     "*.model",
                                "*.msgpack",     "*.npy",
                                "*.npz",         "*.onnx",
                                "*.ot",          "*.parquet",
                                "*.pb",          "*.pickle",
                                "*.pkl",         "*.pt",
                                "*.pth",         "*.rar",
                                "*.safetensors", "saved_model/**/*",
                                "*.tar.*",       "*.tar",
                                "*.tflite",      "*.tgz",
                                "*.wasm",        "*.xz",
                                "*.zip",         "*.zst",
                                "*tfevents*"})
      text += std::string(pattern) + " filter=lfs diff=lfs merge=lfs -text\n";
    return make_blob(Content(std::move(text)));
  }();
  return blob;
}

}  // namespace modelwatch::testhub
