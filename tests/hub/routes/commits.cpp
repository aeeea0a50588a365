#include <charconv>

#include "tests/hub/routes/paging.h"
#include "tests/hub/routes/replies.h"
#include "tests/hub/routes/routes.h"

namespace modelwatch::testhub {
namespace {

json::Value author(const std::string& name) {
  return json::Object{{"user", name},
                      {"avatar", "https://avatars.example/" + percent_encode(name) + ".jpeg"}};
}

json::Array authors(const Commit& commit) {
  json::Array list{author(commit.author.name)};
  static constexpr std::string_view trailer = "Co-authored-by: ";
  for (std::size_t at = commit.message.find(trailer); at != std::string::npos;
       at = commit.message.find(trailer, at + 1)) {
    const std::size_t start = at + trailer.size();
    const std::size_t end = commit.message.find(" <", start);
    if (end != std::string::npos) list.push_back(author(commit.message.substr(start, end - start)));
  }
  return list;
}

json::Value entry(const Commit& commit, bool formatted) {
  json::Object out{{"id", commit.id},
                   {"title", commit.title},
                   {"message", commit.message},
                   {"authors", authors(commit)},
                   {"date", iso_date(commit.date)}};
  if (formatted) {
    json::Object html{{"title", commit.title}};
    if (!commit.message.empty()) html.append("message", "<p>" + commit.message + "</p>");
    out.append("formatted", std::move(html));
  }
  return out;
}

}  // namespace

Reply list_commits(Context& context, const Place& place) {
  const auto repository = admit(context, place, Need::access);
  if (!repository) return repository.error();
  const std::string revision = join_from(context.target, place.end + 1);
  const auto commit = find_revision(context, **repository, revision.empty() ? "main" : revision, false);
  if (!commit) return commit.error();
  const auto limit = page_limit(context, 50, 1000);
  if (!limit) return limit.error();
  std::size_t page = 0;
  if (const std::string* asked = context.target.query.find("p"))
    std::from_chars(asked->data(), asked->data() + asked->size(), page);

  const std::vector<CommitPtr> history = (*repository)->history(*commit);
  const std::vector<std::string> expand = context.target.query.all("expand");
  const bool formatted = std::find(expand.begin(), expand.end(), "formatted") != expand.end();
  json::Array list;
  for (std::size_t i = page * *limit; i < history.size() && i < (page + 1) * *limit; ++i)
    list.push_back(entry(*history[i], formatted));

  Reply reply = json_reply(list);
  reply.headers.set("x-total-count", std::to_string(history.size()));
  if ((page + 1) * *limit < history.size()) {
    Query next = context.target.query;
    const std::string number = std::to_string(page + 1);
    if (next.find("p"))
      next.set("p", number);
    else
      next.put_first("p", number);
    add_next_link(reply, context, next);
  }
  return reply;
}

Reply list_refs(Context& context, const Place& place) {
  const auto repository =
      admit(context, place, context.world.behaviour.gated_refs ? Need::content : Need::access);
  if (!repository) return repository.error();
  json::Array tags, branches, converts, pulls;
  for (const auto& [ref, state] : (*repository)->refs()) {
    for (const auto& [prefix, list] : {std::pair{std::string("refs/tags/"), &tags},
                                       {std::string("refs/heads/"), &branches},
                                       {std::string("refs/convert/"), &converts},
                                       {std::string("refs/pr/"), &pulls}})
      if (ref.starts_with(prefix))
        list->push_back(
            json::Object{{"name", ref.substr(prefix.size())}, {"ref", ref}, {"targetCommit", state.target}});
  }
  json::Object out{
      {"tags", std::move(tags)}, {"branches", std::move(branches)}, {"converts", std::move(converts)}};
  if (context.target.query.flag("include_prs")) out.append("pullRequests", std::move(pulls));
  return json_reply(out);
}

Reply auth_check(Context& context, const Place& place) {
  const auto repository = admit(context, place, Need::access);
  if (!repository) return repository.error();
  Reply reply;
  reply.headers = {{"content-type", "text/plain; charset=utf-8"}};
  reply.text = "OK";
  return reply;
}

}  // namespace modelwatch::testhub
