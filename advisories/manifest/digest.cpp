#include "advisories/manifest/digest.h"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>

namespace modelwatch::advisories {

struct Hasher::State {
  struct Free {
    void operator()(EVP_MD_CTX* spent) const { EVP_MD_CTX_free(spent); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context{EVP_MD_CTX_new()};
};

namespace {

// OpenSSL refuses only where memory or its configuration is broken: nothing a caller could act on.
void require(bool ok) {
  if (!ok) throw std::runtime_error("OpenSSL refuses to hash");
}

std::string hash(Hasher::Algorithm algorithm, std::string_view bytes) {
  Hasher hasher(algorithm);
  hasher.update(bytes);
  return hasher.finish();
}

}  // namespace

Hasher::Hasher(Algorithm algorithm) : state_(std::make_unique<State>()) {
  require(state_->context != nullptr);
  require(EVP_DigestInit_ex(state_->context.get(), algorithm == Algorithm::sha1 ? EVP_sha1() : EVP_sha256(), nullptr) == 1);
}
Hasher::~Hasher() = default;
Hasher::Hasher(Hasher&&) noexcept = default;
Hasher& Hasher::operator=(Hasher&&) noexcept = default;

void Hasher::update(std::string_view bytes) {
  require(EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()) == 1);
}

std::string Hasher::finish() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  require(EVP_DigestFinal_ex(state_->context.get(), digest.data(), &length) == 1);
  static constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * length);
  for (unsigned i = 0; i < length; ++i) {
    text += kHex[digest[i] >> 4];
    text += kHex[digest[i] & 15];
  }
  return text;
}

std::string sha1(std::string_view bytes) { return hash(Hasher::Algorithm::sha1, bytes); }
std::string sha256(std::string_view bytes) { return hash(Hasher::Algorithm::sha256, bytes); }

std::string git_blob_oid(std::string_view bytes) {
  Hasher hasher(Hasher::Algorithm::sha1);
  hasher.update("blob " + std::to_string(bytes.size()) + std::string(1, '\0'));
  hasher.update(bytes);
  return hasher.finish();
}

}  // namespace modelwatch::advisories
