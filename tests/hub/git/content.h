#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace modelwatch::testhub {

/// Immutable bytes of one file, shared by every revision, answer and thread that names them; copying is free.
class Content {
 public:
  explicit Content(std::string text);
  explicit Content(const char* text) : Content(std::string(text)) {}
  /// A file on disk, mapped and never copied: a 91 MB weights file costs no memory of ours. It must not
  /// change while it is served. Throws std::runtime_error where it cannot be read.
  static Content file(const std::filesystem::path& path);
  /// `prefix`, then zeros up to `size` bytes: weights of real size whose header is all that matters. It is
  /// not hashed byte by byte: its digests are those of the prefix, the size and the seed. Two seeds are two
  /// contents.
  static Content hollow(std::string prefix, std::uint64_t size, std::uint64_t seed = 0);

  std::uint64_t size() const;
  /// The bytes from `offset` on that lie together in memory, at most `most` of them; never empty before the
  /// end.
  std::string_view read(std::uint64_t offset, std::uint64_t most) const;
  /// All bytes where they lie together (text and files); of hollow content the prefix.
  std::string_view bytes() const;
  /// What stands for the bytes of hollow content in its digests; empty for honest content.
  const std::string& stand_in() const;

 private:
  struct Storage;
  explicit Content(std::shared_ptr<const Storage> storage) : storage_(std::move(storage)) {}
  std::shared_ptr<const Storage> storage_;
};

}  // namespace modelwatch::testhub
