#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "daemon/hub/client.h"
#include "daemon/hub/transport.h"
#include "tests/daemon/hub/outcome.h"
#include "tests/hub/git/safetensors.h"
#include "tests/hub/test_hub.h"

namespace modelwatch::hub {

inline const std::stop_token kNoStop{};

inline ClientOptions options_for(const std::string& endpoint, const std::string& token = {}) {
  using namespace std::chrono_literals;
  ClientOptions options;
  options.endpoint = endpoint;
  options.token = token;
  options.retry_pause = 1ms;
  options.connect_timeout = options.idle_timeout = 5s;
  return options;
}

inline Client client_for(const ClientOptions& options) {
  return Client(options, curl_transport(options.connect_timeout, options.idle_timeout));
}
inline Client client_for(testhub::TestHub& hub, const std::string& token = {}) { return client_for(options_for(hub.url(), token)); }

/// The head of main; empty where there is none, which no reading operation takes.
inline std::string head_of(Client& client, const std::string& name) {
  const auto info = client.info(name, "main", kNoStop);
  return info ? info->sha : std::string();
}

/// The listed file, as the client itself lists it.
inline advisories::ListedFile listed(Client& client, const std::string& name, const std::string& sha, const std::string& path) {
  const auto tree = client.tree(name, sha, kNoStop);
  const advisories::ListedFile* file = tree ? tree->find(path) : nullptr;
  return file ? *file : advisories::ListedFile{"not listed: " + path, {}, 0, {}};
}

}  // namespace modelwatch::hub
