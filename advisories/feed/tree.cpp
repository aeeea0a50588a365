#include "advisories/feed/tree.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "advisories/feed/archive.h"

namespace modelwatch::advisories {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kDirectory = "GIT", kPart = ".part";

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class TreeWriter {
 public:
  explicit TreeWriter(fs::path folder) : root_(std::move(folder)), git_(root_ / kDirectory) {}

  Result<TreeReport> write(const FeedRecords& records) {
    if (auto ready = prepare(); !ready) return tl::unexpected(ready.error());
    const auto read = records([&](std::string_view id, Time modified) { return wants(id, modified); },
                              [&](const FeedEntry& entry, std::string_view document) {
                                ++report_.written;
                                replace(git_ / (entry.id + ".json"), document);
                              });
    if (!read) return tl::unexpected(read.error());
    report_.records = entries_.size();
    sort_as_feed(entries_);
    report_.unchanged = report_.written == 0 && entries_ == old_ && is_whole();
    if (!report_.unchanged) {
      write_archive();
      write_lists();
      remove_the_gone();
    }
    if (!trouble_.empty()) return fail(ErrorKind::usage, trouble_, "a folder that can be written, with room for the feed");
    return report_;
  }

 private:
  Result<void> prepare() {
    std::error_code error;
    fs::create_directories(git_, error);
    if (error) return fail(ErrorKind::usage, "cannot create " + git_.string() + ": " + error.message());
    lock_ = Lock(git_);
    if (!lock_.held()) return fail(ErrorKind::usage, "another export writes to " + root_.string(), "again when it is done");
    for (const fs::path& folder : {root_, git_})
      for (const auto& file : fs::directory_iterator(folder, error)) {
        const std::string name = file.path().filename().string();
        if (name.ends_with(kPart)) fs::remove(file.path(), error);
        else if (folder == git_) present_.insert(name);
      }
    old_ = parse_modified_id_csv(read_file(git_ / "modified_id.csv")).value_or(std::vector<FeedEntry>{});
    for (const FeedEntry& entry : old_) known_.emplace(entry.id, entry.modified);
    return {};
  }

  bool wants(std::string_view id, Time modified) {
    entries_.push_back({std::string(id), modified});
    const auto known = known_.find(entries_.back().id);
    return known == known_.end() || known->second != modified || !present_.contains(entries_.back().id + ".json");
  }

  bool is_whole() const {
    constexpr std::array files = {"GIT/all.zip", "GIT/modified_id.csv", "all.zip", "modified_id.csv", "list.json", "ecosystems.txt"};
    return std::all_of(files.begin(), files.end(), [&](const char* file) { return fs::exists(root_ / file); });
  }

  void replace(const fs::path& path, std::string_view bytes) {
    const fs::path part = path.string() + std::string(kPart);
    std::ofstream out(part, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (out.fail()) return note(part);
    rename(part, path);
  }

  void rename(const fs::path& part, const fs::path& path) {
    std::error_code error;
    fs::rename(part, path, error);
    if (error) note(path);
  }

  void note(const fs::path& path) {
    if (trouble_.empty()) trouble_ = "cannot write " + path.string();
  }

  /// Runs of records that the archive has already are taken over packed.
  void write_archive() {
    std::vector<FeedEntry> sorted = entries_;
    std::sort(sorted.begin(), sorted.end(), [](const FeedEntry& a, const FeedEntry& b) { return a.id < b.id; });
    const fs::path path = git_ / "all.zip", part = path.string() + std::string(kPart);
    auto old = ArchiveReader::open(path);
    const bool usable = old && is_sequential(old->entries());
    std::size_t at = 0, run = 0;  // old entries [run, at) are to be taken over
    ArchiveWriter archive(part);
    for (const FeedEntry& entry : sorted) {
      const std::string name = entry.id + ".json";
      const std::size_t from = at;
      while (usable && at < old->entries().size() && old->entries()[at].name < name) ++at;
      const bool same = usable && at < old->entries().size() && old->entries()[at].name == name && old->entries()[at].modified == entry.modified;
      if (!same || at != from) {
        if (usable) archive.take(*old, run, from);
        run = at;
      }
      if (same) {
        ++at;
        continue;
      }
      archive.add(name, entry.modified, read_file(git_ / name));
    }
    if (usable) archive.take(*old, run, at);
    if (!archive.finish()) return note(part);
    copy_to_root(part);
    rename(part, path);
  }

  static bool is_sequential(const std::vector<ArchiveEntry>& entries) {
    for (std::size_t i = 0; i < entries.size(); ++i)
      if (!entries[i].ours || (i > 0 && (entries[i - 1].offset >= entries[i].offset || entries[i - 1].name >= entries[i].name))) return false;
    return true;
  }

  /// The feed has one ecosystem: both archives are the same file.
  void copy_to_root(const fs::path& from) {
    const fs::path part = (root_ / "all.zip").string() + std::string(kPart);
    std::error_code error;
    fs::create_hard_link(from, part, error);
    if (error) fs::copy_file(from, part, fs::copy_options::overwrite_existing, error);
    if (error) return note(part);
    rename(part, root_ / "all.zip");
  }

  void write_lists() {
    if (!trouble_.empty()) return;
    // What a list names must survive a power cut that the list survives.
    if (lock_.flush()) note(root_);
    replace(git_ / "modified_id.csv", modified_id_csv(entries_));
    replace(root_ / "modified_id.csv", modified_id_csv(entries_, kDirectory));
    replace(root_ / "list.json", rest_list(entries_));
    replace(root_ / "ecosystems.txt", std::string(kDirectory) + "\n");
  }

  void remove_the_gone() {
    std::unordered_set<std::string> here;
    for (const FeedEntry& entry : entries_) here.insert(entry.id);
    std::error_code error;
    for (const FeedEntry& entry : old_)
      if (!here.contains(entry.id) && fs::remove(git_ / (entry.id + ".json"), error)) ++report_.removed;
  }

  /// An advisory lock on the folder for as long as the object lives.
  class Lock {
   public:
    Lock() = default;
    explicit Lock(const fs::path& folder) : fd_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
      if (fd_ >= 0 && ::flock(fd_, LOCK_EX | LOCK_NB) != 0) release();
    }
    Lock& operator=(Lock&& other) noexcept {
      std::swap(fd_, other.fd_);
      return *this;
    }
    ~Lock() { release(); }
    bool held() const { return fd_ >= 0; }
    bool flush() const { return ::syncfs(fd_) != 0; }

   private:
    void release() {
      if (fd_ >= 0) ::close(fd_);
      fd_ = -1;
    }
    int fd_ = -1;
  };

  fs::path root_, git_;
  Lock lock_;
  std::vector<FeedEntry> old_, entries_;
  std::unordered_map<std::string, Time> known_;
  std::unordered_set<std::string> present_;
  TreeReport report_;
  std::string trouble_;
};

}  // namespace

Result<TreeReport> write_feed_tree(const std::filesystem::path& folder, const FeedRecords& records) {
  return TreeWriter(folder).write(records);
}

}  // namespace modelwatch::advisories
