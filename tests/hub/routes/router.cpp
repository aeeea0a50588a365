#include <algorithm>
#include <array>

#include "tests/hub/routes/extras.h"
#include "tests/hub/routes/replies.h"
#include "tests/hub/routes/routes.h"

namespace modelwatch::testhub {
namespace {

using Endpoint = Reply (*)(Context&, const Place&);
constexpr std::array<std::pair<std::string_view, Endpoint>, 7> endpoints = {{{"revision", model_info},
                                                                             {"commits", list_commits},
                                                                             {"refs", list_refs},
                                                                             {"tree", list_tree},
                                                                             {"treesize", tree_size},
                                                                             {"paths-info", paths_info},
                                                                             {"auth-check", auth_check}}};

Endpoint endpoint_named(std::string_view verb) {
  const auto at =
      std::find_if(endpoints.begin(), endpoints.end(), [&](const auto& e) { return e.first == verb; });
  return at == endpoints.end() ? nullptr : at->second;
}

Reply no_such_page() {
  return html_reply(404, "<!DOCTYPE html><html><body><h1>404</h1></body></html>");
}

/// "gpt2/commits/main" and "org/name/commits/main" look alike: a single segment is a name only where one is
/// known.
bool is_legacy_name(const World& world, const std::string& segment) {
  return world.find(segment) || world.find_moved(segment);
}

Reply route_model(Context& context) {
  const auto& segments = context.target.segments;
  Place place{.prefix = "/api/models"};
  if (segments.size() == 3 || (endpoint_named(segments[3]) && is_legacy_name(context.world, segments[2]))) {
    place.name = segments[2];
    place.end = 3;
  } else {
    place.name = segments[2] + "/" + segments[3];
    place.end = 4;
  }
  if (place.end == segments.size()) return model_info(context, place);
  const Endpoint endpoint = endpoint_named(segments[place.end]);
  return endpoint ? endpoint(context, place) : no_such_page();
}

Reply route_file(Context& context, std::size_t verb) {
  const auto& segments = context.target.segments;
  Place place{.name = segments[0], .end = verb, .text_errors = true};
  if (verb == 2) place.name += "/" + segments[1];
  return resolve_file(context, place);
}

Reply route_page(Context& context) {
  const auto& segments = context.target.segments;
  if (segments.empty() || segments.size() > 2) return no_such_page();
  const Place place{.name = join_from(context.target, 0), .end = segments.size(), .text_errors = true};
  const auto found = admit(context, place, Need::sight);
  if (!found) return found.error().status == 307 ? found.error() : no_such_page();
  return html_reply(200, "<!DOCTYPE html><html><head><title>" + (*found)->name + "</title></head></html>");
}

Reply route(Context& context) {
  const auto& segments = context.target.segments;
  const std::string& method = context.request.method;
  if (segments.size() >= 2 && segments[0] == "api") {
    const bool reads = method == "GET" || method == "HEAD";
    const bool posts = method == "POST" && segments.size() > 4 &&
                       std::find(segments.begin(), segments.end(), "paths-info") != segments.end();
    if (!reads && !posts) return no_such_page();
    if (segments[1] == "resolve-cache") return resolve_cache(context);
    if (segments[1] != "models") return no_such_page();
    return segments.size() == 2 ? list_models(context) : route_model(context);
  }
  for (const std::size_t verb : {2U, 1U})
    if (segments.size() > verb + 1 && (segments[verb] == "resolve" || segments[verb] == "raw"))
      return route_file(context, verb);
  return route_page(context);
}

Bucket bucket_of(const Target& target) {
  const auto& segments = target.segments;
  if (segments.size() >= 2 && segments[0] == "api")
    return segments[1] == "resolve-cache" ? Bucket::resolvers : Bucket::api;
  for (const std::size_t verb : {1U, 2U})
    if (segments.size() > verb && (segments[verb] == "resolve" || segments[verb] == "raw"))
      return Bucket::resolvers;
  return Bucket::pages;
}

/// 304 where the client has this very body already.
void answer_conditionally(Reply& reply, const Context& context) {
  const std::string* known = context.request.headers.find("if-none-match");
  if (!known || !context.world.behaviour.conditional_api || reply.status != 200) return;
  const std::string etag = reply.headers.value("etag");
  if (!etag.starts_with("W/") || *known != etag) return;
  reply.status = 304;
  reply.text.clear();
  reply.headers.erase("content-type");
}

std::string bearer(const Request& request) {
  const std::string value = request.headers.value("authorization");
  return value.starts_with("Bearer ") ? value.substr(7) : std::string();
}

}  // namespace

Reply answer_hub(World& world, const Request& request, const Fault& fault) {
  Context context{world, request, fault, Target(request.target)};
  const std::string token = bearer(request);
  context.user = world.user_of_token(token);
  context.bad_token = !token.empty() && !context.user && world.behaviour.refuse_bad_tokens;

  const Bucket bucket = bucket_of(context.target);
  const Plan plan = context.user ? context.user->plan : Plan::anonymous;
  const std::string who = context.user ? context.user->name : request.remote;
  const Allowance allowance = world.quotas.charge(who, plan, bucket, world.clock.now());

  Reply reply;
  if (fault.status) {
    reply = fault_reply(context, *fault.status, bucket, allowance);
  } else if (!allowance.allowed) {
    reply = rate_limited(context, bucket, allowance);
  } else {
    reply = route(context);
    answer_conditionally(reply, context);
  }
  add_hub_headers(reply, context, bucket, allowance);
  apply_fault(reply, context.request, world.behaviour, fault);
  return reply;
}

}  // namespace modelwatch::testhub
