#include "tests/hub/world.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <stdexcept>

#include "tests/hub/git/digest.h"

namespace modelwatch::testhub {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::string make_id(const std::string& name, std::chrono::sys_seconds created, std::size_t serial) {
  std::array<char, 9> seconds{};
  std::snprintf(seconds.data(), seconds.size(), "%08x",
                static_cast<unsigned>(created.time_since_epoch().count()));
  return seconds.data() + sha1_hex(name + "#" + std::to_string(serial)).substr(0, 16);
}

bool plausible_name(const std::string& name) {
  return !name.empty() && name.front() != '/' && name.back() != '/' &&
         std::count(name.begin(), name.end(), '/') <= 1;
}

}  // namespace

Repository& World::create(const std::string& name, Creation creation) {
  if (!plausible_name(name)) throw std::invalid_argument("not a repository name: '" + name + "'");
  const std::string key = lower(name);
  if (repositories_.contains(key)) throw std::invalid_argument(name + ": exists already");
  aliases_.erase(key);
  ++created_;
  auto made = std::make_unique<Repository>();
  made->name = name;
  made->created = creation.date.value_or(clock.seconds());
  made->id = creation.id.empty() ? make_id(name, made->created, created_) : creation.id;
  made->is_private = creation.is_private;
  made->gate = creation.gate;
  if (creation.initial_commit)
    made->push({.files = {{".gitattributes", default_gitattributes()}},
                .title = "initial commit",
                .author = {"system", "system@users.example"}},
               made->created);
  if (!creation.files.empty())
    made->push({.files = std::move(creation.files), .title = "Upload model"}, made->created);
  Repository& repository = *made;
  ids_[repository.id] = &repository;
  repositories_.emplace(key, std::move(made));
  return repository;
}

Repository& World::repository(const std::string& name) {
  Repository* found = find(name);
  if (!found) throw std::invalid_argument(name + ": no such repository");
  return *found;
}

std::string World::push(const std::string& name, Push push) {
  return repository(name).push(push, clock.seconds());
}

void World::force_push(const std::string& name, const std::string& revision, const std::string& branch) {
  repository(name).move_ref("refs/heads/" + branch, revision);
}

std::string World::super_squash(const std::string& name, const std::string& branch, bool forget) {
  Repository& target = repository(name);
  std::string sha = target.squash(branch, clock.seconds());
  if (forget) target.forget_unreachable();
  return sha;
}

int World::open_pull_request(const std::string& name, Push push) {
  Repository& target = repository(name);
  int number = 1;
  while (target.refs().contains("refs/pr/" + std::to_string(number))) ++number;
  const CommitPtr main = target.head();
  if (!push.onto && main) push.onto = main->id;
  push.branch = "pull request";  // a branch for the moment of the push: the commit must hang somewhere
  const std::string sha = target.push(push, clock.seconds());
  target.move_ref("refs/pr/" + std::to_string(number), sha);
  target.delete_ref("refs/heads/" + push.branch);
  return number;
}

void World::tag(const std::string& name, const std::string& tag, const std::string& revision) {
  repository(name).move_ref("refs/tags/" + tag, revision);
}

void World::rename(const std::string& from, const std::string& to) {
  if (!plausible_name(to)) throw std::invalid_argument("not a repository name: '" + to + "'");
  repository(from);
  if (repositories_.contains(lower(to))) throw std::invalid_argument(to + ": exists already");
  auto node = repositories_.extract(lower(from));
  node.key() = lower(to);
  node.mapped()->name = to;
  aliases_.erase(lower(to));
  aliases_[lower(from)] = node.mapped().get();
  repositories_.insert(std::move(node));
}

void World::redirect(const std::string& alias, const std::string& name) {
  if (repositories_.contains(lower(alias))) throw std::invalid_argument(alias + ": exists already");
  aliases_[lower(alias)] = &repository(name);
}

void World::remove(const std::string& name) {
  Repository* gone = &repository(name);
  std::erase_if(aliases_, [&](const auto& item) { return item.second == gone; });
  ids_.erase(gone->id);
  repositories_.erase(lower(name));
}

void World::add_user(User user) {
  if (user.token.empty()) throw std::invalid_argument(user.name + ": a user needs a token");
  std::string token = user.token;
  users_.insert_or_assign(std::move(token), std::move(user));
}

void World::set_access(const std::string& name, const std::string& user, Access access) {
  repository(name).access[user] = access;
}

const User* World::user_of_token(std::string_view token) const {
  const auto at = users_.find(token);
  return at == users_.end() ? nullptr : &at->second;
}

bool World::owns(const User* user, const Repository& repository) const {
  if (!user) return false;
  const std::string space = repository.space();
  return user->name == space || std::find(user->organisations.begin(), user->organisations.end(), space) !=
                                    user->organisations.end();
}

bool World::may_see(const User* user, const Repository& repository) const {
  return !repository.is_private || owns(user, repository) ||
         (user && repository.access.contains(user->name) &&
          repository.access.at(user->name) == Access::granted);
}

bool World::passes_gate(const User* user, const Repository& repository) const {
  return repository.gate == Gate::open || owns(user, repository) ||
         (user && repository.access.contains(user->name) &&
          repository.access.at(user->name) == Access::granted);
}

Repository* World::find(const std::string& name) const {
  const auto at = repositories_.find(lower(name));
  return at != repositories_.end() && at->second->name == name ? at->second.get() : nullptr;
}

Repository* World::find_moved(const std::string& name) const {
  if (const auto at = repositories_.find(lower(name)); at != repositories_.end())
    return at->second->name == name ? nullptr : at->second.get();
  const auto alias = aliases_.find(lower(name));
  return alias == aliases_.end() ? nullptr : alias->second;
}

Repository* World::find_id(const std::string& id) const {
  const auto at = ids_.find(id);
  return at == ids_.end() ? nullptr : at->second;
}

}  // namespace modelwatch::testhub
