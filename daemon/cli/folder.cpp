#include "daemon/cli/folder.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <system_error>

#include "advisories/manifest/digest.h"
#include "advisories/manifest/files.h"
#include "estimator/json/reader.h"

namespace modelwatch::cli {
namespace {

namespace fs = std::filesystem;
using namespace advisories;

constexpr std::size_t kMaxFiles = 200'000;
constexpr std::uint64_t kMaxListing = 256u << 20;
constexpr std::uint64_t kLfsFrom = 10u << 20;  // the Hub keeps files from 10 MiB on, and all weights, in LFS
constexpr std::uint64_t kMaxHeader = 128u << 20;
constexpr std::uint64_t kGgufStart = 64u << 20;

Result<std::string> read_start(const fs::path& path, std::uint64_t limit) {
  std::error_code error;
  const std::uint64_t size = fs::file_size(path, error);
  std::ifstream in(path, std::ios::binary);
  if (error || !in) return fail(ErrorKind::bad_input, "cannot read " + path.string());
  std::string bytes(static_cast<std::size_t>(std::min(size, limit)), '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

/// The 8-byte length and the JSON header it announces, without the tensors.
Result<std::string> read_safetensors_header(const fs::path& path) {
  auto start = read_start(path, 8);
  if (!start || start->size() < 8) return start;
  std::uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | static_cast<unsigned char>((*start)[static_cast<std::size_t>(i)]);
  return read_start(path, 8 + std::min(length, kMaxHeader));
}

class FolderContents : public Contents {
 public:
  explicit FolderContents(fs::path root) : root_(std::move(root)) {}

  std::variant<Bytes, NotRead> read(const ListedFile& file) const override {
    const fs::path path = root_ / file.path;
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return NotRead{"only in the listing"};
    Result<std::string> bytes;
    switch (fetch_of(file)) {
      case Fetch::nothing:
        return NotRead{file.size > fetch_limit(file.path) ? "larger than " + std::to_string(fetch_limit(file.path)) + " bytes"
                                                          : "files of this kind are not read"};
      case Fetch::whole: bytes = read_start(path, fetch_limit(file.path)); break;
      case Fetch::safetensors_header: bytes = read_safetensors_header(path); break;
      case Fetch::gguf_header: bytes = read_start(path, kGgufStart); break;
    }
    if (!bytes) return NotRead{bytes.error().message};
    return std::make_shared<const std::string>(std::move(*bytes));
  }

 private:
  fs::path root_;
};

/// Identity of a file that no listing names: what the Hub would list for these bytes.
Result<ListedFile> hashed(const fs::path& path, std::string name) {
  std::error_code error;
  ListedFile file{std::move(name), {}, fs::file_size(path, error), {}};
  std::ifstream in(path, std::ios::binary);
  if (error || !in) return fail(ErrorKind::bad_input, "cannot read " + path.string());
  Hasher git(Hasher::Algorithm::sha1), lfs(Hasher::Algorithm::sha256);
  git.update("blob " + std::to_string(file.size) + std::string(1, '\0'));
  const bool large = file.size >= kLfsFrom || (part_of(file.path) == Part::weights && !file.path.ends_with(".json"));
  std::string block(1 << 20, '\0');
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0) {
    const std::string_view bytes(block.data(), static_cast<std::size_t>(in.gcount()));
    git.update(bytes);
    if (large) lfs.update(bytes);
  }
  file.oid = git.finish();
  if (large) file.lfs = LfsPointer{lfs.finish(), file.size, 0};
  return file;
}

std::uint64_t size_at(const json::Value* value, std::string_view key) {
  const json::Value* found = value ? value->find(key) : nullptr;
  return found ? static_cast<std::uint64_t>(std::max<std::int64_t>(found->integer().value_or(0), 0)) : 0;
}

std::string text_at(const json::Value* value, std::string_view key) {
  const json::Value* found = value ? value->find(key) : nullptr;
  return found && found->string() ? *found->string() : std::string();
}

/// The Hub's recursive tree answer; directories are left out.
Result<std::map<std::string, ListedFile>> read_listing(const fs::path& path) {
  std::map<std::string, ListedFile> files;
  std::error_code error;
  if (!fs::exists(path, error)) return files;
  const auto text = read_start(path, kMaxListing);
  if (!text) return tl::unexpected(text.error());
  const auto document = json::read(*text);
  if (!document) return fail(ErrorKind::bad_input, path.string() + ": " + document.error().to_string());
  const json::Array* entries = document->value.array();
  if (!entries) return fail(ErrorKind::bad_input, path.string() + ": not an array of files", "the Hub's answer to /tree/REV?recursive=true");
  for (const json::Value& entry : *entries) {
    if (text_at(&entry, "type") == "directory") continue;
    ListedFile file{text_at(&entry, "path"), text_at(&entry, "oid"), size_at(&entry, "size"), {}};
    if (file.path.empty()) return fail(ErrorKind::bad_input, path.string() + ": an entry without path");
    if (const json::Value* lfs = entry.find("lfs"); lfs && lfs->object())
      file.lfs = LfsPointer{text_at(lfs, "oid"), size_at(lfs, "size"), size_at(lfs, "pointerSize")};
    files.insert_or_assign(file.path, std::move(file));
  }
  return files;
}

bool hidden_folder(const fs::path& path) { return path.filename().string().starts_with('.'); }

}  // namespace

Result<Snapshot> read_folder(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return fail(ErrorKind::not_found, folder.string() + " is not a folder");
  auto listed = read_listing(folder / ".listing.json");
  if (!listed) return tl::unexpected(listed.error());
  fs::recursive_directory_iterator at(folder, error);
  for (const fs::recursive_directory_iterator end; !error && at != end; at.increment(error)) {
    if (at->is_directory(error)) {
      if (hidden_folder(at->path())) at.disable_recursion_pending();
      continue;
    }
    const std::string name = at->path().lexically_relative(folder).generic_string();
    if (name == ".listing.json" || !at->is_regular_file(error) || listed->contains(name)) continue;
    if (listed->size() >= kMaxFiles) return fail(ErrorKind::bad_input, folder.string() + " has more than 200,000 files");
    auto file = hashed(at->path(), name);
    if (!file) return tl::unexpected(file.error());
    listed->emplace(name, std::move(*file));
  }
  if (error) return fail(ErrorKind::bad_input, folder.string() + ": " + error.message());
  std::vector<ListedFile> files;
  for (auto& [name, file] : *listed) files.push_back(std::move(file));
  return Snapshot{Listing(std::move(files)), std::make_shared<FolderContents>(folder)};
}

}  // namespace modelwatch::cli
