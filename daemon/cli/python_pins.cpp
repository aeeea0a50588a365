#include "daemon/cli/python_pins.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>

#include "advisories/osv/package_name.h"
#include "advisories/pins/model_url.h"
#include "estimator/json/reader.h"
#include "estimator/json/writer.h"

extern char** environ;

namespace modelwatch::cli {
namespace {

constexpr char kScript[] =
#include "daemon/cli/python_pins.py.inc"
    ;
constexpr std::chrono::seconds kLongest{90};
constexpr std::size_t kMostAnswer = 256u << 20;

/// A child with its two pipes; killed and reaped with the object.
class Helper {
 public:
  bool start() {
    std::array<int, 2> in{}, out{};
    if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0) return false;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::array<char*, 6> words = {const_cast<char*>("python3"), const_cast<char*>("-I"), const_cast<char*>("-S"), const_cast<char*>("-c"),
                                  const_cast<char*>(kScript), nullptr};
    const bool started = ::posix_spawnp(&child_, "python3", &actions, nullptr, words.data(), environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    ::close(in[0]);
    ::close(out[1]);
    to_ = in[1];
    from_ = out[0];
    if (!started) child_ = -1;
    return started;
  }

  ~Helper() {
    close_input();
    if (from_ >= 0) ::close(from_);
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
  }

  /// Writes the question while it reads the answer, so that neither pipe fills up. Empty where time or room ran out.
  std::string ask(std::string_view question) {
    std::string answer;
    std::array<char, 65536> buffer{};
    const auto end = std::chrono::steady_clock::now() + kLongest;
    ::fcntl(to_, F_SETFL, O_NONBLOCK);
    while (true) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
      std::array<pollfd, 2> waits = {pollfd{from_, POLLIN, 0}, pollfd{to_, POLLOUT, 0}};
      if (left <= 0 || ::poll(waits.data(), to_ >= 0 ? 2 : 1, static_cast<int>(left)) <= 0) return {};
      if (to_ >= 0 && waits[1].revents != 0) {
        const ssize_t written = ::write(to_, question.data(), question.size());
        if (written > 0) question.remove_prefix(static_cast<std::size_t>(written));
        if (question.empty() || (written < 0 && errno != EAGAIN)) close_input();
      }
      if (waits[0].revents != 0) {
        const ssize_t got = ::read(from_, buffer.data(), buffer.size());
        if (got <= 0) return answer;
        answer.append(buffer.data(), static_cast<std::size_t>(got));
        if (answer.size() > kMostAnswer) return {};
      }
    }
  }

 private:
  void close_input() {
    if (to_ >= 0) ::close(to_);
    to_ = -1;
  }

  pid_t child_ = -1;
  int to_ = -1, from_ = -1;
};

std::string text_at(const json::Value& value, const char* key) {
  const json::Value* found = value.find(key);
  return found && found->string() ? *found->string() : std::string();
}

advisories::Position place_of(const json::Value& value) {
  const auto number = [&](const char* key) {
    const json::Value* found = value.find(key);
    return static_cast<std::size_t>(found ? found->integer().value_or(0) : 0);
  };
  return {number("line"), number("column")};
}

Result<advisories::PinFile> read_answer(const json::Value& answer) {
  if (const std::string error = text_at(answer, "error"); !error.empty()) return fail(ErrorKind::bad_input, error);
  advisories::PinFile file;
  const json::Value* pins = answer.find("pins");
  for (const json::Value& pin : pins && pins->array() ? *pins->array() : json::Array{}) {
    if (const std::string problem = text_at(pin, "problem"); !problem.empty()) {
      file.problems.push_back({place_of(pin), problem});
      continue;
    }
    std::string repository = text_at(pin, "repository"), revision = text_at(pin, "revision");
    if (const auto url = advisories::parse_model_url(repository)) {
      repository = url->repository;
      if (revision.empty()) revision = url->revision;
    }
    // A single word is as likely a folder; it counts where a revision says that it is none.
    if (!advisories::is_repository_name(repository) || (repository.find('/') == repository.npos && revision.empty())) continue;
    file.pins.push_back({repository, std::string(advisories::kPublicHub), revision, place_of(pin), text_at(pin, "form"), {}, {}});
  }
  return file;
}

}  // namespace

Result<std::map<std::string, Result<advisories::PinFile>>> python_pins(const std::vector<PythonFile>& files) {
  std::map<std::string, Result<advisories::PinFile>> read;
  if (files.empty()) return read;
  json::Object question;
  for (const PythonFile& file : files) question.set(file.path, file.text);
  Helper helper;
  struct sigaction before = {}, ignoring = {};  // a helper that died closes its pipe: that is an answer, not our end
  ignoring.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignoring, &before);
  const std::string answer = helper.start() ? helper.ask(json::write(question)) : std::string();
  ::sigaction(SIGPIPE, &before, nullptr);
  const auto document = json::read(answer);
  if (!document || !document->value.object())
    return fail(ErrorKind::usage, "python3, which reads Python files, does not answer", "apt install python3");
  for (const json::Member& member : *document->value.object()) read.emplace(member.first, read_answer(member.second));
  return read;
}

}  // namespace modelwatch::cli
