#pragma once
#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace modelwatch::e2e {

using Variables = std::map<std::string, std::string>;

/// A child process whose output is read line by line. Killed, and waited for, when destroyed.
class Process {
 public:
  struct Options {
    Variables environment = {};            ///< all of it: nothing is inherited but PATH
    std::optional<std::uint64_t> largest_file = {};  ///< RLIMIT_FSIZE in bytes: a disk that is full beyond
  };
  explicit Process(std::vector<std::string> command);
  Process(std::vector<std::string> command, Options options);
  Process(const Process&) = delete;
  ~Process();

  pid_t pid() const { return pid_; }
  void signal(int number) const { ::kill(pid_, number); }

  /// Reads stderr until a line has all these words; empty where the process ended, or the time was over, before.
  std::string wait_for(const std::vector<std::string>& words, std::chrono::seconds at_most = std::chrono::seconds{20});
  /// Reads both outputs to their end and waits. The exit code, or 128 + the signal that ended it.
  int wait(std::chrono::seconds at_most = std::chrono::seconds{30});

  const std::string& out() const { return out_; }
  const std::string& err() const { return err_; }  ///< everything read so far

 private:
  /// False where both outputs have ended, or the time is over.
  bool read_more(std::chrono::steady_clock::time_point until);

  pid_t pid_ = -1;
  int out_fd_ = -1, err_fd_ = -1;
  std::string out_, err_;
  std::size_t searched_ = 0;  ///< where in err_ the next wait_for begins
  std::optional<int> code_;
};

/// Peak resident memory of a live process, in bytes.
std::uint64_t peak_memory(pid_t pid);

}  // namespace modelwatch::e2e
