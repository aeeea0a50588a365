#pragma once
#include <set>
#include <string>
#include <utility>

#include "daemon/hub/session.h"

namespace modelwatch::hub {

struct Client::Impl {
  Impl(ClientOptions options, std::unique_ptr<Transport> transport) : session(std::move(options), std::move(transport)) {}

  Session session;
  /// Names whose .gitattributes was found behind a gate: their poll starts with README.md.
  std::set<std::string, std::less<>> gated;
};

/// "/api/models/{name}{rest}"
std::string api_target(std::string_view name, std::string_view rest);
/// "/{name}/resolve/{revision}/{path}", each part encoded as it must be.
std::string resolve_target(std::string_view name, std::string_view revision, std::string_view path);
/// Breaks the program where a caller reads files or listings at anything but a full sha.
void require_sha(std::string_view sha);

}  // namespace modelwatch::hub
