#pragma once
#include <memory>
#include <string>
#include <string_view>

namespace modelwatch::advisories {

/// A running hash, for bytes that do not fit into memory at once.
class Hasher {
 public:
  enum class Algorithm { sha1, sha256 };
  explicit Hasher(Algorithm algorithm);
  ~Hasher();
  Hasher(Hasher&&) noexcept;
  Hasher& operator=(Hasher&&) noexcept;

  void update(std::string_view bytes);
  /// Lower-case hex. The hasher is spent afterwards.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Lower-case hex.
std::string sha1(std::string_view bytes);
std::string sha256(std::string_view bytes);

/// The id git gives a file of these bytes: sha1("blob <size>\0" + bytes).
std::string git_blob_oid(std::string_view bytes);

}  // namespace modelwatch::advisories
