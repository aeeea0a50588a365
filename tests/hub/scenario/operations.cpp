#include "tests/hub/scenario/operations.h"

#include <array>
#include <stdexcept>

#include "tests/hub/scenario/behaviour.h"
#include "tests/hub/scenario/files.h"
#include "tests/hub/scenario/names.h"

namespace modelwatch::testhub {
namespace {

struct Operation {
  World& world;
  Arguments arguments;
  std::string subject;  ///< the verb's value: mostly a repository
  std::filesystem::path folder;

  Repository& repository() { return world.repository(subject); }
  std::string at(std::string_view key, const std::string& standard) {
    return revision_named(repository(), arguments.optional_text(key).value_or(standard));
  }
};

json::Value sha_result(std::string sha) {
  return json::Object{{"sha", std::move(sha)}};
}

Push read_push(Operation& op) {
  Push push;
  Arguments& a = op.arguments;
  push.branch = a.optional_text("branch").value_or("main");
  if (const auto onto = a.optional_text("onto"))
    push.onto = onto->empty() ? "" : revision_named(op.repository(), *onto);
  const CommitPtr present = op.repository().resolve(push.onto ? *push.onto : "refs/heads/" + push.branch);
  push.files = read_files(a, {op.folder, present ? present : op.repository().head()});
  push.remove = a.texts("remove");
  push.only_these = a.flag("only_these").value_or(false);
  if (const auto title = a.optional_text("title")) push.title = *title;
  if (const auto message = a.optional_text("message")) push.message = *message;
  if (const auto author = a.optional_text("author")) push.author.name = *author;
  if (const auto mail = a.optional_text("mail")) push.author.mail = *mail;
  push.date = a.date("date");
  return push;
}

json::Value create(Operation& op) {
  Creation creation;
  Arguments& a = op.arguments;
  creation.files = read_files(a, {op.folder, nullptr});
  creation.is_private = a.flag("private").value_or(false);
  if (const json::Value* gated = a.value("gated")) creation.gate = read_gate(*gated);
  creation.date = a.date("date");
  creation.id = a.optional_text("id").value_or("");
  creation.initial_commit = a.flag("initial_commit").value_or(true);
  const std::int64_t downloads = a.integer("downloads").value_or(0);
  const std::int64_t likes = a.integer("likes").value_or(0);
  const bool disabled = a.flag("disabled").value_or(false);
  a.done();
  Repository& made = op.world.create(op.subject, std::move(creation));
  made.downloads = downloads;
  made.likes = likes;
  made.disabled = disabled;
  const CommitPtr head = made.head();
  return json::Object{{"id", made.id}, {"sha", head ? head->id : ""}};
}

json::Value push(Operation& op) {
  Push commit = read_push(op);
  op.arguments.done();
  return sha_result(op.world.push(op.subject, std::move(commit)));
}

json::Value pull_request(Operation& op) {
  Push commit = read_push(op);
  op.arguments.done();
  return json::Object{{"number", op.world.open_pull_request(op.subject, std::move(commit))}};
}

json::Value force_push(Operation& op) {
  const std::string to = revision_named(op.repository(), op.arguments.text("to"));
  const std::string branch = op.arguments.optional_text("branch").value_or("main");
  op.arguments.done();
  op.world.force_push(op.subject, to, branch);
  return sha_result(to);
}

json::Value super_squash(Operation& op) {
  const std::string branch = op.arguments.optional_text("branch").value_or("main");
  const bool forget = op.arguments.flag("forget").value_or(true);
  op.arguments.done();
  return sha_result(op.world.super_squash(op.subject, branch, forget));
}

/// create_branch, tag and move_ref point a ref at a revision.
json::Value point(Operation& op, const std::string& ref) {
  const std::string sha = op.at("at", "main");
  op.arguments.done();
  op.repository().move_ref(ref, sha);
  return sha_result(sha);
}

json::Value create_branch(Operation& op) {
  return point(op, "refs/heads/" + op.arguments.text("as"));
}
json::Value tag(Operation& op) {
  return point(op, "refs/tags/" + op.arguments.text("as"));
}
json::Value move_ref(Operation& op) {
  return point(op, op.arguments.text("ref"));
}

json::Value delete_ref(Operation& op) {
  const std::string ref = op.arguments.text("ref");
  op.arguments.done();
  op.repository().delete_ref(ref);
  return json::Object{};
}

json::Value rename(Operation& op) {
  const std::string to = op.arguments.text("to");
  op.arguments.done();
  op.world.rename(op.subject, to);
  return json::Object{};
}

json::Value redirect(Operation& op) {
  const std::string to = op.arguments.text("to");
  op.arguments.done();
  op.world.redirect(op.subject, to);
  return json::Object{};
}

json::Value remove(Operation& op) {
  op.arguments.done();
  op.world.remove(op.subject);
  return json::Object{};
}

json::Value set(Operation& op) {
  Repository& repository = op.repository();
  Arguments& a = op.arguments;
  const auto is_private = a.flag("private");
  const auto disabled = a.flag("disabled");
  const json::Value* gated = a.value("gated");
  const auto downloads = a.integer("downloads");
  const auto likes = a.integer("likes");
  a.done();
  if (gated) repository.gate = read_gate(*gated);
  if (is_private) repository.is_private = *is_private;
  if (disabled) repository.disabled = *disabled;
  if (downloads) repository.downloads = *downloads;
  if (likes) repository.likes = *likes;
  return json::Object{};
}

json::Value access(Operation& op) {
  const std::string user = op.arguments.text("user");
  const Access state = read_access(op.arguments.text("state"));
  op.arguments.done();
  op.world.set_access(op.subject, user, state);
  return json::Object{};
}

json::Value add_user(Operation& op) {
  User user{op.subject, op.arguments.text("token")};
  if (const auto plan = op.arguments.optional_text("plan")) user.plan = read_plan(*plan);
  user.organisations = op.arguments.texts("organisations");
  op.arguments.done();
  op.world.add_user(std::move(user));
  return json::Object{};
}

json::Value quota(Operation& op) {
  const Plan plan = read_plan(op.subject);
  const Bucket bucket = read_bucket(op.arguments.text("bucket"));
  const auto limit = op.arguments.integer("limit");
  if (!limit) op.arguments.wrong("limit", "a whole number");
  op.arguments.done();
  op.world.quotas.set_limit(plan, bucket, *limit);
  return json::Object{};
}

json::Value fault(Operation& op) {
  Fault made = read_fault(op.subject, op.arguments);
  op.arguments.done();
  op.world.faults.arm(std::move(made));
  return json::Object{};
}

json::Value set_clock(Operation& op) {
  const double scale = op.arguments.real("scale").value_or(1);
  op.arguments.done();
  op.world.clock.set(parse_date(op.subject), scale);
  return json::Object{};
}

/// Many repositories of the same files: "{space}" and "{i}" in the pattern are numbers.
json::Value generate(World& world, Arguments arguments, const std::filesystem::path& folder) {
  const auto count = arguments.integer("generate");
  const std::int64_t spaces = arguments.integer("spaces").value_or(1);
  const std::string pattern = arguments.optional_text("pattern").value_or("org-{space}/model-{i}");
  Files files = read_files(arguments, {folder, nullptr});
  const auto date = arguments.date("date");
  if (!count || *count < 0 || spaces < 1) arguments.wrong("generate", "a whole number");
  arguments.done();
  const std::vector<std::string> patterns = lfs_patterns(default_gitattributes()->content.bytes());
  for (auto& [path, file] : files)
    file.blob = matches_lfs(patterns, path) ? make_lfs_blob(file.content) : make_blob(file.content);
  for (std::int64_t i = 0; i < *count; ++i)
    world.create(replaced(replaced(pattern, "{space}", i % spaces), "{i}", i),
                 {.files = files, .date = date});
  return json::Object{};
}

using Verb = json::Value (*)(Operation&);
/// `access` stands before `user`, which is also one of its keys.
constexpr std::array<std::pair<std::string_view, Verb>, 18> verbs = {{{"create", create},
                                                                      {"push", push},
                                                                      {"pull_request", pull_request},
                                                                      {"force_push", force_push},
                                                                      {"super_squash", super_squash},
                                                                      {"create_branch", create_branch},
                                                                      {"tag", tag},
                                                                      {"move_ref", move_ref},
                                                                      {"delete_ref", delete_ref},
                                                                      {"rename", rename},
                                                                      {"redirect", redirect},
                                                                      {"remove_repository", remove},
                                                                      {"set", set},
                                                                      {"access", access},
                                                                      {"user", add_user},
                                                                      {"quota", quota},
                                                                      {"fault", fault},
                                                                      {"clock", set_clock}}};

}  // namespace

json::Value do_operation(World& world, const json::Value& operation, const std::filesystem::path& folder) {
  for (const auto& [name, verb] : verbs) {
    if (!operation.find(name)) continue;
    Operation op{world, Arguments(std::string(name), operation), {}, folder};
    op.subject = op.arguments.text(name);
    return verb(op);
  }
  Arguments arguments("operation", operation);
  if (operation.find("generate")) return generate(world, std::move(arguments), folder);
  if (const json::Value* switches = arguments.value("behaviour")) {
    arguments.done();
    set_behaviour(world.behaviour, Arguments("behaviour", *switches));
  } else if (const auto seconds = arguments.real("advance")) {
    arguments.done();
    world.clock.advance(std::chrono::milliseconds(static_cast<std::int64_t>(*seconds * 1000)));
  } else if (const auto window = arguments.integer("quota_window")) {
    arguments.done();
    world.quotas.window = std::chrono::seconds(*window);
  } else if (arguments.flag("clear_faults")) {
    arguments.done();
    world.faults.clear();
  } else {
    throw std::invalid_argument("operation: no verb (push, create, rename, fault, …)");
  }
  return json::Object{};
}

}  // namespace modelwatch::testhub
