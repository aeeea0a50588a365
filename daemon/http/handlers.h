#pragma once
#include "daemon/http/routes.h"

namespace modelwatch::http {

/// A request with what the pattern of its route took out of the path.
struct Call {
  const Request& request;
  const Backend& backend;
  std::string repository;  ///< {repo}: "org/name" or a legacy single segment
  std::string id;          ///< {id}
};

// One file per topic; the routing table is in routes.cpp.
Reply health(const Call& call);
Reply list_repositories(const Call& call);
Reply list_revisions(const Call& call);
Reply list_changes(const Call& call);
Reply make_plan(const Call& call);
Reply osv_query(const Call& call);
Reply osv_query_batch(const Call& call);
Reply osv_record(const Call& call);
Reply badge_svg(const Call& call);
Reply badge_json(const Call& call);

/// The number of a query parameter within bounds; `standard` where it is absent.
Result<int> bounded_parameter(const Request& request, std::string_view name, int standard, int least, int most);

}  // namespace modelwatch::http
