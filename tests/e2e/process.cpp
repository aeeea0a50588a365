#include "tests/e2e/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace modelwatch::e2e {

namespace {

using Clock = std::chrono::steady_clock;

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> all;
  for (std::string& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

bool has_all(std::string_view line, const std::vector<std::string>& words) {
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) { return line.find(word) != std::string_view::npos; });
}

}  // namespace

Process::Process(std::vector<std::string> command) : Process(std::move(command), Options{}) {}

Process::Process(std::vector<std::string> command, Options options) {
  std::vector<std::string> variables;
  options.environment.try_emplace("PATH", "/usr/bin:/bin");
  for (const auto& [name, value] : options.environment) variables.push_back(name + "=" + value);
  std::vector<char*> arguments = pointers(command), environment = pointers(variables);
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("no process");
  if (pid_ == 0) {
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    if (options.largest_file) {
      const rlimit limit{*options.largest_file, *options.largest_file};
      setrlimit(RLIMIT_FSIZE, &limit);
      std::signal(SIGXFSZ, SIG_IGN);  // the write fails instead
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    execve(arguments[0], arguments.data(), environment.data());
    _exit(127);
  }
  close(out[1]);
  close(err[1]);
  out_fd_ = out[0];
  err_fd_ = err[0];
}

Process::~Process() {
  if (!code_) {
    ::kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  for (const int fd : {out_fd_, err_fd_})
    if (fd >= 0) close(fd);
}

bool Process::read_more(Clock::time_point until) {
  pollfd both[2] = {{out_fd_, POLLIN, 0}, {err_fd_, POLLIN, 0}};
  if (out_fd_ < 0 && err_fd_ < 0) return false;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
  if (left.count() <= 0 || poll(both, 2, static_cast<int>(left.count())) <= 0) return false;
  char block[65536];
  for (int i = 0; i < 2; ++i) {
    if (both[i].revents == 0) continue;
    int& fd = i == 0 ? out_fd_ : err_fd_;
    const ssize_t count = read(fd, block, sizeof block);
    if (count > 0) (i == 0 ? out_ : err_).append(block, static_cast<std::size_t>(count));
    else close(std::exchange(fd, -1));
  }
  return true;
}

std::string Process::wait_for(const std::vector<std::string>& words, std::chrono::seconds at_most) {
  const auto until = Clock::now() + at_most;
  do {
    for (std::size_t end; (end = err_.find('\n', searched_)) != std::string::npos;) {
      const std::string line = err_.substr(searched_, end - searched_);
      searched_ = end + 1;
      if (has_all(line, words)) return line;
    }
  } while (read_more(until));
  return {};
}

int Process::wait(std::chrono::seconds at_most) {
  const auto until = Clock::now() + at_most;
  while (read_more(until)) {
  }
  if (code_) return *code_;
  if (out_fd_ >= 0 || err_fd_ >= 0) ::kill(pid_, SIGKILL);  // it hangs: the caller sees 137
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return *code_;
}

std::uint64_t peak_memory(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::strtoull(line.c_str() + 6, nullptr, 10) * 1024;
  return 0;
}

}  // namespace modelwatch::e2e
