#include "tests/hub/scenario/names.h"

#include <initializer_list>
#include <stdexcept>

namespace modelwatch::testhub {
namespace {

template <class T>
T word_of(const std::string& word, std::initializer_list<std::pair<std::string_view, T>> words) {
  std::string known;
  for (const auto& [name, value] : words) {
    if (name == word) return value;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw std::invalid_argument("'" + word + "' is none of " + known);
}

}  // namespace

Gate read_gate(const json::Value& value) {
  if (value.is_bool() && !*value.boolean()) return Gate::open;
  return word_of<Gate>(value.string() ? *value.string() : "",
                       {{"auto", Gate::automatic}, {"manual", Gate::manual}});
}

Access read_access(const std::string& word) {
  return word_of<Access>(word, {{"none", Access::none},
                                {"pending", Access::pending},
                                {"rejected", Access::rejected},
                                {"granted", Access::granted}});
}

Plan read_plan(const std::string& word) {
  return word_of<Plan>(word, {{"anonymous", Plan::anonymous},
                              {"free", Plan::free},
                              {"pro", Plan::pro},
                              {"team", Plan::team},
                              {"enterprise", Plan::enterprise}});
}

Bucket read_bucket(const std::string& word) {
  return word_of<Bucket>(word,
                         {{"api", Bucket::api}, {"resolvers", Bucket::resolvers}, {"pages", Bucket::pages}});
}

Listener read_listener(const std::string& word) {
  return word_of<Listener>(word, {{"hub", Listener::hub}, {"cdn", Listener::cdn}});
}

std::string revision_named(const Repository& repository, const std::string& revision) {
  const std::size_t tilde = revision.find('~');
  const CommitPtr commit = repository.resolve(revision.substr(0, tilde));
  if (!commit) throw std::invalid_argument(repository.name + ": no revision " + revision);
  if (tilde == std::string::npos) return commit->id;
  const std::vector<CommitPtr> history = repository.history(commit);
  const auto back = static_cast<std::size_t>(std::stoul(revision.substr(tilde + 1)));
  if (back >= history.size()) throw std::invalid_argument(repository.name + ": no revision " + revision);
  return history[back]->id;
}

std::string replaced(std::string text, std::string_view what, std::int64_t by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at))
    text.replace(at, what.size(), std::to_string(by));
  return text;
}

}  // namespace modelwatch::testhub
