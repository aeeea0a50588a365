#include "tests/hub/git/digest.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <cstdio>
#include <memory>
#include <stdexcept>

#include "tests/hub/git/content.h"

namespace modelwatch::testhub {
namespace {

class Digest {
 public:
  explicit Digest(const EVP_MD* algorithm) : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    if (!context_ || EVP_DigestInit_ex(context_.get(), algorithm, nullptr) != 1)
      throw std::runtime_error("digest not available");
  }
  Digest& add(std::string_view bytes) {
    EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size());
    return *this;
  }
  Digest& add(const Content& content) {
    for (std::uint64_t at = 0; at < content.size();) {
      const std::string_view piece = content.read(at, content.size() - at);
      add(piece);
      at += piece.size();
    }
    return *this;
  }
  std::string raw() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
    unsigned length = 0;
    EVP_DigestFinal_ex(context_.get(), out.data(), &length);
    return {reinterpret_cast<const char*>(out.data()), length};
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

std::string hex(std::string_view bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

std::string object_header(std::string_view kind, std::uint64_t length) {
  std::string header(kind);
  header += ' ';
  header += std::to_string(length);
  header += '\0';
  return header;
}

constexpr std::string_view base64_alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string sha1_raw(std::string_view bytes) {
  return Digest(EVP_sha1()).add(bytes).raw();
}
std::string sha1_hex(std::string_view bytes) {
  return hex(sha1_raw(bytes));
}
std::string sha256_hex(std::string_view bytes) {
  return hex(Digest(EVP_sha256()).add(bytes).raw());
}
std::string sha256_hex(const Content& content) {
  return hex(Digest(EVP_sha256()).add(content).raw());
}

std::string hmac_sha256_hex(std::string_view key, std::string_view message) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
  unsigned length = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(message.data()), message.size(), out.data(), &length);
  return hex({reinterpret_cast<const char*>(out.data()), length});
}

std::string base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k <= bytes.size() ? base64_alphabet[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::string base64_decode(std::string_view text) {
  std::string out;
  unsigned group = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t value = base64_alphabet.find(c);
    if (value == std::string_view::npos) continue;
    group = group << 6 | static_cast<unsigned>(value);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out += static_cast<char>(group >> bits & 255);
    }
  }
  return out;
}

std::string git_object_id(std::string_view kind, std::string_view bytes) {
  return hex(Digest(EVP_sha1()).add(object_header(kind, bytes.size())).add(bytes).raw());
}

std::string git_object_id(std::string_view kind, const Content& content) {
  return hex(Digest(EVP_sha1()).add(object_header(kind, content.size())).add(content).raw());
}

std::string weak_etag(std::string_view body) {
  std::array<char, 24> length{};
  std::snprintf(length.data(), length.size(), "%zx", body.size());
  std::string digest = base64(sha1_raw(body));
  while (!digest.empty() && digest.back() == '=') digest.pop_back();
  return std::string("W/\"") + length.data() + "-" + digest + "\"";
}

}  // namespace modelwatch::testhub
