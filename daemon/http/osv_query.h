#pragma once
#include <optional>
#include <string>

#include "daemon/http/routes.h"

namespace modelwatch::http {

/// An error in the shape of the OSV API: `{"code": <gRPC code>, "message": …}`.
struct OsvError {
  int code = 3;  ///< 3 invalid argument (400), 5 not found (404), 12 unimplemented (405), 13 internal (500)
  std::string message;
};

/// One query of the OSV API, checked. What can match nothing here (another ecosystem, another hub, a purl of another
/// type) is `foreign`, and its answer is empty.
struct OsvQuery {
  enum class Kind { commit, version, package, foreign };
  Kind kind = Kind::foreign;
  std::string repository;                ///< "org/name"; not for a commit
  std::string version;                   ///< the commit, or the version as asked
  storage::Store::After after;           ///< where the page starts
  std::string digest;                    ///< of the query without its token: a token is bound to it
};

tl::expected<OsvQuery, OsvError> parse_query(const json::Value& query, const Backend& backend);
/// The token of the page after `key`.
std::string page_token(const OsvQuery& query, const std::pair<storage::Time, std::string>& key);

struct OsvPage {
  storage::DocumentPage page;
  std::string resolved_revision;         ///< where the version was a tracked ref
  std::optional<bool> revision_known;    ///< where one commit was asked about
};
tl::expected<OsvPage, OsvError> answer(const OsvQuery& query, const Backend& backend, int limit);

Reply osv_error(const OsvError& error);

}  // namespace modelwatch::http
