#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/hub/git/content.h"

namespace modelwatch::testhub {

/// The two hosts of the service. A redirect from one to the other crosses hosts, as it does in reality.
enum class Listener { hub, cdn, control };
std::string_view to_string(Listener listener);

/// Header fields in order; names are compared without regard to case.
class Headers {
 public:
  Headers() = default;
  Headers(std::initializer_list<std::pair<std::string, std::string>> fields) : fields_(fields) {}

  const std::string* find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
  std::string value(std::string_view name) const;      ///< empty where it is not there
  void set(std::string_view name, std::string value);  ///< replaces
  void add(std::string_view name, std::string value) { fields_.emplace_back(name, std::move(value)); }
  void erase(std::string_view name);

  auto begin() const { return fields_.begin(); }
  auto end() const { return fields_.end(); }

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

struct Request {
  std::string method;
  std::string target;  ///< path and query, byte for byte as sent
  Headers headers;
  std::string body;
  std::string remote;  ///< the client's address
};

/// Bytes `offset` … `offset + length` of a file.
struct Slice {
  Content content;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

struct Reply {
  int status = 200;
  Headers headers;   ///< without content-length, which the wire derives from the body
  std::string text;  ///< the body, where `slice` is empty
  std::optional<Slice> slice;

  // How the answer travels: what a broken network or a proxy does to it.
  std::optional<std::uint64_t> cut_after;  ///< close the connection after so many bytes of the body
  bool hang = false;                       ///< never answer; ends when the client leaves or the hub stops
  bool chunked = false;                    ///< no content-length
  std::chrono::milliseconds delay{0};      ///< of real time, before the first byte

  std::uint64_t length() const { return slice ? slice->length : text.size(); }
};

}  // namespace modelwatch::testhub
