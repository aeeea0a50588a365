#pragma once
#include <string>
#include <string_view>
#include <variant>

#include "daemon/hub/transport.h"

namespace modelwatch::hub {

/// The Hub's address, or that of a mirror. A path in it ("https://proxy/hf") is put before every target that lacks it.
struct Endpoint {
  explicit Endpoint(std::string_view url);

  std::string at(std::string_view target) const;
  bool owns(std::string_view url) const;  ///< same scheme, host and port: where the token may go

  std::string origin;  ///< empty where the address is not http(s)
  std::string prefix;  ///< without trailing '/'
};

struct Final {};                             ///< no redirect: this is the answer
struct WithinHub { std::string target; };    ///< same method, same headers, same token, at the endpoint
struct OtherHost { std::string url; };       ///< to be used byte for byte, and never with the token
struct Broken { std::string why; };
using NextHop = std::variant<Final, WithinHub, OtherHost, Broken>;

/// What an answer to `url` at the endpoint asks for. A mirror that passes on the public Hub's own redirects is asked itself.
NextHop next_hop(const Endpoint& endpoint, std::string_view url, const Response& response);

/// The repository's new name, where a redirect from one target to another changed just that; else empty.
std::string moved_name(std::string_view from, std::string_view name, std::string_view to);

}  // namespace modelwatch::hub
