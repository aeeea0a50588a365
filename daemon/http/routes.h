#pragma once
#include <string>
#include <vector>

#include "daemon/http/message.h"
#include "storage/store.h"

namespace modelwatch::http {

/// What routes answer from.
struct Backend {
  storage::Store& store;
  std::string hub_identity = "https://huggingface.co";  ///< what GIT package names and purls of our repositories start with
  advisories::FeedIdentity feed = {};                   ///< of the Atom feeds
};

/// The whole surface: finds the route of the path, lets it answer, then ETag and conditional requests. Every path that
/// is not there is 404, every method a path does not take is 405 with Allow. A HEAD is answered with the body of the GET,
/// which the server leaves out.
Reply route(const Request& request, const Backend& backend);

/// Every route as "GET /api/v1/repos/{repo}": what the OpenAPI document must say.
std::vector<std::string> route_names();

}  // namespace modelwatch::http
