#include <charconv>

#include "estimator/json/reader.h"
#include "tests/hub/routes/paging.h"
#include "tests/hub/routes/replies.h"
#include "tests/hub/routes/routes.h"

namespace modelwatch::testhub {
namespace {

const std::string masked(64, '*');

struct Entry {
  bool directory = false;
  std::string path;
  std::string oid;
  BlobPtr blob;  ///< null for a directory
};

bool before(const Entry& a, const Entry& b) {
  return a.directory != b.directory ? a.directory : a.path < b.path;
}

/// Directories first, then files, each in byte order, as in the recordings.
std::vector<Entry> entries_below(const Tree& tree, const std::string& directory, bool recursive) {
  const std::string prefix = directory.empty() ? "" : directory + "/";
  const auto wanted = [&](const std::string& path) {
    return path.starts_with(prefix) && path.size() > prefix.size() &&
           (recursive || path.find('/', prefix.size()) == std::string::npos);
  };
  std::vector<Entry> list;
  for (auto at = tree.directories.lower_bound(prefix);
       at != tree.directories.end() && at->first.starts_with(prefix); ++at)
    if (wanted(at->first)) list.push_back({true, at->first, at->second, nullptr});
  for (auto at = tree.files.lower_bound(prefix); at != tree.files.end() && at->first.starts_with(prefix);
       ++at)
    if (wanted(at->first)) list.push_back({false, at->first, at->second->oid, at->second});
  return list;
}

std::string oid_at(const Commit& commit, const Entry& entry) {
  if (entry.directory) {
    const auto at = commit.tree->directories.find(entry.path);
    return at == commit.tree->directories.end() ? std::string() : at->second;
  }
  const BlobPtr* blob = commit.tree->find(entry.path);
  return blob ? (*blob)->oid : std::string();
}

/// The commit that gave the entry its present content.
const Commit& last_commit(const std::vector<CommitPtr>& history, const Entry& entry) {
  for (std::size_t i = 0; i + 1 < history.size(); ++i)
    if (oid_at(*history[i + 1], entry) != entry.oid) return *history[i];
  return *history.back();
}

class EntryWriter {
 public:
  EntryWriter(const Context& context, const Repository& repository, const CommitPtr& commit, bool expand)
      : mask_(!context.world.passes_gate(context.user, repository)), expand_(expand) {
    if (expand) history_ = repository.history(commit);
  }

  json::Value write(const Entry& entry) const {
    json::Object out{{"type", entry.directory ? "directory" : "file"},
                     {"oid", entry.oid},
                     {"size", entry.directory ? 0 : entry.blob->content.size()}};
    if (!entry.directory && entry.blob->lfs) {
      out.append("lfs", json::Object{{"oid", mask_ ? masked : entry.blob->lfs->sha256},
                                     {"size", entry.blob->content.size()},
                                     {"pointerSize", entry.blob->lfs->pointer.size()}});
      out.append("xetHash", mask_ ? masked : entry.blob->xet_hash);
    }
    out.append("path", entry.path);
    if (!expand_) return out;
    const Commit& last = last_commit(history_, entry);
    out.append("lastCommit",
               json::Object{{"id", last.id}, {"title", last.title}, {"date", iso_date(last.date)}});
    if (!entry.directory) out.append("securityFileStatus", scan(entry.path));
    return out;
  }

 private:
  static json::Value scan(const std::string& path) {
    const bool pickle =
        path.ends_with(".bin") || path.ends_with(".pt") || path.ends_with(".pkl") || path.ends_with(".pth");
    const char* status = pickle ? "safe" : "unscanned";
    return json::Object{
        {"status", status},
        {"avScan", json::Object{{"status", "safe"}, {"message", "No security issues detected"}}},
        {"pickleImportScan",
         json::Object{{"status", status}, {"pickleImports", json::Array{}}, {"version", "0.0.0"}}},
        {"protectAiScan", json::Object{{"status", "unscanned"}}},
        {"virusTotalScan", json::Object{{"status", "unscanned"}}}};
  }

  bool mask_;
  bool expand_;
  std::vector<CommitPtr> history_;
};

Reply entry_missing(const std::string& path, const std::string& revision) {
  return api_error(404, path + " does not exist on \"" + revision + "\"", "EntryNotFound");
}

struct Asked {
  Repository* repository;
  CommitPtr commit;
  std::string revision, path;
};

tl::expected<Asked, Reply> find_asked(const Context& context, const Place& place, Need need) {
  const auto repository = admit(context, place, need);
  if (!repository) return tl::unexpected(repository.error());
  std::size_t at = place.end + 1;
  const std::string revision = take_revision(context.target, at);
  const auto commit = find_revision(context, **repository, revision, false);
  if (!commit) return tl::unexpected(commit.error());
  return Asked{*repository, *commit, revision, join_from(context.target, at)};
}

}  // namespace

Reply list_tree(Context& context, const Place& place) {
  const auto asked = find_asked(context, place, Need::content);
  if (!asked) return asked.error();
  const Tree& tree = *asked->commit->tree;
  if (!asked->path.empty() && !tree.directories.contains(asked->path))
    return entry_missing(asked->path, asked->revision);
  const Query& query = context.target.query;
  const bool expand = query.flag("expand");
  const Behaviour& behaviour = context.world.behaviour;
  const std::size_t standard = expand ? behaviour.expanded_tree_page : behaviour.tree_page;
  const auto limit = page_limit(context, standard, 1000);
  if (!limit) return limit.error();
  const std::size_t page = std::min(*limit, standard);

  std::vector<Entry> entries = entries_below(tree, asked->path, query.flag("recursive"));
  auto at = entries.begin();
  if (const std::string* cursor = query.find("cursor")) {
    const auto last = tree_cursor_path(*cursor);
    if (!last) return api_error(400, "Invalid cursor");
    const Entry mark{tree.directories.contains(*last), *last, {}, nullptr};
    at = std::upper_bound(entries.begin(), entries.end(), mark, before);
  }
  const EntryWriter writer(context, *asked->repository, asked->commit, expand);
  json::Array list;
  for (; at != entries.end() && list.size() < page; ++at) list.push_back(writer.write(*at));

  Reply reply = json_reply(list);
  if (expand) reply.delay = behaviour.expand_delay;
  if (at != entries.end()) {
    Query next = query;
    if (!next.find("limit")) next.set("limit", std::to_string(page));
    next.set("cursor", tree_cursor(std::prev(at)->path, tree.oid, page));
    add_next_link(reply, context, next);
  }
  return reply;
}

Reply tree_size(Context& context, const Place& place) {
  const auto asked = find_asked(context, place, Need::content);
  if (!asked) return asked.error();
  std::uint64_t bytes = 0;
  for (const Entry& entry : entries_below(*asked->commit->tree, asked->path, true))
    if (!entry.directory) bytes += entry.blob->content.size();
  return json_reply(json::Object{{"path", asked->path}, {"size", bytes}});
}

Reply paths_info(Context& context, const Place& place) {
  if (context.request.method != "POST")
    return html_reply(404, "<!DOCTYPE html><html><body><h1>404</h1></body></html>");
  const auto asked =
      find_asked(context, place, context.world.behaviour.gated_refs ? Need::content : Need::access);
  if (!asked) return asked.error();
  std::vector<std::string> paths;
  bool expand = false;
  if (context.request.headers.value("content-type").starts_with("application/json")) {
    const auto body = json::read(context.request.body);
    if (!body) return api_error(400, "Invalid JSON: " + body.error().to_string());
    if (const json::Value* list = body->value.find("paths"); list && list->array())
      for (const json::Value& path : *list->array()) paths.push_back(path.string() ? *path.string() : "");
    if (const json::Value* flag = body->value.find("expand")) expand = flag->boolean().value_or(false);
  } else {
    const Query form(context.request.body);
    paths = form.all("paths");
    expand = form.flag("expand");
  }
  if (paths.empty() || paths.size() > 2000)
    return api_error(400, "Array must contain between 1 and 2000 element(s) at 'paths'");

  const Tree& tree = *asked->commit->tree;
  const EntryWriter writer(context, *asked->repository, asked->commit, expand);
  json::Array list;
  for (const std::string& path : paths) {
    if (const auto directory = tree.directories.find(path); directory != tree.directories.end())
      list.push_back(writer.write({true, path, directory->second, nullptr}));
    else if (const BlobPtr* blob = tree.find(path))
      list.push_back(writer.write({false, path, (*blob)->oid, *blob}));
  }
  return json_reply(list);
}

}  // namespace modelwatch::testhub
