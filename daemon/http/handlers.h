#pragma once
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/http/routes.h"

namespace modelwatch::http {

/// A request with what the placeholders of its route stand for: {repo}, {id}, {revision}, …
struct Call {
  const Request& request;
  const Backend& backend;
  std::map<std::string, std::string, std::less<>> path;
};

// One file per topic; the routing table is in routes.cpp.
Reply health(const Call& call);
Reply openapi(const Call& call);
Reply list_repositories(const Call& call);
Reply show_repository(const Call& call);
Reply list_revisions(const Call& call);
Reply show_revision(const Call& call);
Reply compare_revisions(const Call& call);
Reply lint_revision(const Call& call);
Reply list_changes(const Call& call);
Reply list_advisories(const Call& call);
Reply find_blob(const Call& call);
Reply list_derived(const Call& call);
Reply make_plan(const Call& call);
Reply osv_query(const Call& call);
Reply osv_query_batch(const Call& call);
Reply osv_record(const Call& call);
Reply atom_of_all(const Call& call);
Reply atom_of_repository(const Call& call);
Reply atom_of_impact(const Call& call);
Reply badge_svg(const Call& call);
Reply badge_json(const Call& call);

/// Query parameters; every error names the parameter and says what it may be.
class Parameters {
 public:
  explicit Parameters(const Call& call) : request_(call.request) {}

  /// An error where a parameter is none of these, or is given twice: a misspelt filter must not show everything.
  Result<void> allow(std::initializer_list<std::string_view> names) const;
  /// Empty where absent.
  std::string text(std::string_view name) const { return request_.parameter(name).value_or(""); }
  /// `standard` where absent.
  Result<int> integer(std::string_view name, int standard, int least, int most) const;
  Result<std::optional<advisories::Part>> part(std::string_view name) const;
  Result<std::optional<advisories::Impact>> impact(std::string_view name) const;

 private:
  const Request& request_;
};

/// A page of repositories of which one more than `limit` was asked for: whether that is there says whether more follow.
Reply repositories_page(Result<std::vector<storage::Tracked>> rows, int limit);

}  // namespace modelwatch::http
