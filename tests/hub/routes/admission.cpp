#include <algorithm>

#include "tests/hub/routes/context.h"
#include "tests/hub/routes/replies.h"

namespace modelwatch::testhub {
namespace {

/// Strangers are not told whether a private repository exists: they get the answer to a wrong password.
Reply not_there(const Context& context, bool text) {
  if (!context.user) return any_error(text, 401, "Invalid username or password.");
  return any_error(text, 404, "Repository not found", "RepoNotFound");
}

Reply gated(const Context& context, const Repository& repository, bool text) {
  const std::string model = "Access to model " + repository.name + " is restricted";
  if (!context.user)
    return any_error(text, 401,
                     model + ". You must have access to it and be authenticated to access it. Please log in.",
                     "GatedRepo");
  const auto state = repository.access.find(context.user->name);
  switch (state == repository.access.end() ? Access::none : state->second) {
    case Access::pending:
      return any_error(
          text, 403,
          "Your request to access model " + repository.name + " is awaiting a review from the repo authors.",
          "GatedRepo");
    case Access::rejected:
      return any_error(
          text, 403,
          "Your request to access model " + repository.name + " has been rejected by the repo's authors.",
          "GatedRepo");
    default:
      return any_error(text, 403,
                       model + " and you are not in the authorized list. Visit " +
                           context.world.public_base() + "/" + repository.name + " to ask for access.",
                       "GatedRepo");
  }
}

}  // namespace

tl::expected<Repository*, Reply> admit(const Context& context, const Place& place, Need need) {
  const bool text = place.text_errors;
  const World& world = context.world;
  if (context.bad_token) return tl::unexpected(any_error(text, 401, "Invalid username or password."));
  Repository* found = world.find(place.name);
  if (!found) {
    const Repository* moved = world.find_moved(place.name);
    if (!moved || !world.may_see(context.user, *moved)) return tl::unexpected(not_there(context, text));
    return tl::unexpected(redirect_reply(
        307, place.prefix + "/" + percent_encode_path(moved->name) + context.target.rest(place.end)));
  }
  if (!world.may_see(context.user, *found)) return tl::unexpected(not_there(context, text));
  if (need == Need::sight) return found;
  if (found->disabled) return tl::unexpected(any_error(text, 403, "Access to this resource is disabled."));
  if (need == Need::access && !world.passes_gate(context.user, *found))
    return tl::unexpected(gated(context, *found, text));
  return found;
}

tl::expected<CommitPtr, Reply> find_revision(const Context& context, const Repository& repository,
                                             const std::string& revision, bool text_errors) {
  if (CommitPtr commit = repository.resolve(revision, context.fault.stale)) return commit;
  return tl::unexpected(any_error(text_errors, 404, "Invalid rev id: " + revision, "RevisionNotFound"));
}

std::string take_revision(const Target& target, std::size_t& at) {
  if (at >= target.segments.size()) return {};
  const std::string& first = target.segments[at];
  if (first == "refs" && at + 2 < target.segments.size()) {
    at += 3;
    return first + "/" + target.segments[at - 2] + "/" + target.segments[at - 1];
  }
  ++at;
  return first;
}

std::string join_from(const Target& target, std::size_t at) {
  std::string path;
  for (; at < target.segments.size(); ++at) path += (path.empty() ? "" : "/") + target.segments[at];
  return path;
}

}  // namespace modelwatch::testhub
