#pragma once
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "tests/hub/fault.h"
#include "tests/hub/wire/message.h"
#include "tests/hub/wire/url.h"
#include "tests/hub/world.h"

namespace modelwatch::testhub {

/// One request on its way through the routes.
struct Context {
  World& world;
  const Request& request;
  const Fault& fault;
  Target target;
  const User* user = nullptr;  ///< whose valid token came along
  bool bad_token = false;

  bool is_head() const { return request.method == "HEAD"; }
};

/// Where in the target the repository's name stands.
struct Place {
  std::string prefix = {};   ///< "/api/models" or ""
  std::string name = {};     ///< decoded
  std::size_t end = 0;       ///< first segment after the name
  bool text_errors = false;  ///< /resolve and /raw answer errors as bare text
};

/// What a route asks of the reader.
enum class Need {
  sight,    ///< public, or private to this reader
  content,  ///< and not disabled by the Hub
  access,   ///< and, where gated, granted
};

/// The repository; or the answer that is sent instead: 307, 401, 403 or 404.
tl::expected<Repository*, Reply> admit(const Context& context, const Place& place, Need need);

/// The commit a revision names; or 404 RevisionNotFound.
tl::expected<CommitPtr, Reply> find_revision(const Context& context, const Repository& repository,
                                             const std::string& revision, bool text_errors);

/// Takes a revision off the segments from `at` on: one segment, or "refs/pr/1" in three. `at` is moved behind
/// it.
std::string take_revision(const Target& target, std::size_t& at);
/// The decoded segments from `at` on, joined by '/'.
std::string join_from(const Target& target, std::size_t at);

}  // namespace modelwatch::testhub
