#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace modelwatch::advisories {

/// What the Hub's tree says of a file kept in LFS. `sha256` is of the content; empty where the Hub masks it (gated).
struct LfsPointer {
  std::string sha256;
  std::uint64_t size = 0;          ///< bytes of the content
  std::uint64_t pointer_size = 0;  ///< bytes of the pointer text
};

/// One file of a revision. `oid` is the git blob id, for an LFS file that of the pointer text (it changes whenever
/// the content does, so it serves as identity where the sha256 is masked).
struct ListedFile {
  std::string path;
  std::string oid;
  std::uint64_t size = 0;  ///< bytes of the content, LFS or not
  std::optional<LfsPointer> lfs;

  /// Equal exactly where the bytes are equal: the LFS sha256 where known, else the git oid.
  std::string_view identity() const { return lfs && !lfs->sha256.empty() ? lfs->sha256 : oid; }
};

/// The files of one revision, sorted by path; directories are left out.
class Listing {
 public:
  Listing() = default;
  explicit Listing(std::vector<ListedFile> files);

  const ListedFile* find(std::string_view path) const;
  std::size_t size() const { return files_.size(); }
  auto begin() const { return files_.begin(); }
  auto end() const { return files_.end(); }

 private:
  std::vector<ListedFile> files_;
};

/// Why a listed file's bytes are not at hand: "larger than 64 MB", "gated", "weights are not downloaded", …
struct NotRead {
  std::string reason;
};

using Bytes = std::shared_ptr<const std::string>;

/// Gives the bytes of a revision's files as far as they were fetched; for safetensors and GGUF files that is the
/// header at the start of the file only. Asked when a reader needs a file, so that an unchanged 33 MB
/// tokenizer is never loaded.
class Contents {
 public:
  virtual ~Contents() = default;
  virtual std::variant<Bytes, NotRead> read(const ListedFile& file) const = 0;
};

/// One revision of a repository, ready to be read part by part (advisories/manifest/*.h).
struct Snapshot {
  Listing listing;
  std::shared_ptr<const Contents> contents;
};

}  // namespace modelwatch::advisories
