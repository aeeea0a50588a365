// The pipeline's figures, each beside its limit: change → advisory committed, requests per unchanged repository, and the
// daemon's resident memory while ten thousand repositories wait.
// usage: pipeline_bench MODELWATCHD [CHANGES (1000)] [REPOSITORIES (10000)]

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "daemon/hub/client.h"
#include "daemon/hub/transport.h"
#include "daemon/watch/check_repo.h"
#include "storage/store.h"
#include "tests/hub/test_hub.h"

namespace {

using namespace modelwatch;
using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

[[noreturn]] void die(const std::string& why) {
  std::cerr << "pipeline_bench: " << why << "\n";
  std::exit(2);
}

template <class T>
T must(Result<T> result) {
  if (!result) die(result.error().message);
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// Counts the time spent waiting for the Hub, so that it can be taken off.
class Timed : public hub::Transport {
 public:
  Timed(std::unique_ptr<hub::Transport> inner, Milliseconds& spent) : inner_(std::move(inner)), spent_(spent) {}
  hub::Response exchange(const hub::Request& request, std::stop_token stop) override {
    const auto from = Clock::now();
    hub::Response response = inner_->exchange(request, stop);
    spent_ += Clock::now() - from;
    return response;
  }

 private:
  std::unique_ptr<hub::Transport> inner_;
  Milliseconds& spent_;
};

hub::Client client(const std::string& url, Milliseconds& spent) {
  using namespace std::chrono_literals;
  hub::ClientOptions options;
  options.endpoint = url;
  return hub::Client(options, std::make_unique<Timed>(hub::curl_transport(10s, 10s), spent));
}

storage::Time now() { return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()); }

void row(const char* what, double measured, const char* unit, double limit) {
  std::printf("%-52s %10.2f %-9s limit %8.2f  %s\n", what, measured, unit, limit, measured <= limit ? "ok" : "OVER");
}

std::string generation_config(int stop) { return "{\n  \"eos_token_id\": " + std::to_string(stop) + ",\n  \"temperature\": 0.6\n}\n"; }

/// The time of a check that finds one changed stop id, less the time the Hub took; the database lies in memory, so that
/// no fsync is in it.
void change_to_advisory(int changes, const std::filesystem::path& folder) {
  testhub::TestHub hub;
  hub->behaviour.pin_ranges = false;
  hub->create("bench/one", {.files = {{"config.json", R"({"model_type": "llama", "hidden_size": 64, "intermediate_size": 128,
    "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 1000})"},
                                      {"generation_config.json", generation_config(0)}}});
  hub->quotas.set_limit(testhub::Plan::anonymous, testhub::Bucket::api, 1 << 30);
  hub->quotas.set_limit(testhub::Plan::anonymous, testhub::Bucket::resolvers, 1 << 30);
  Milliseconds transfer{};
  hub::Client reader = client(hub.url(), transfer);
  storage::Store store = must(storage::Store::open((folder / "changes.db").string(), storage::Access::read_write));
  storage::Tracked tracked = must(store.track("bench/one", "main", {.revisions = 0}, now()));
  tracked = watch::check_repo(tracked, reader, store, {}, now(), {}, {}).tracked;
  std::vector<double> times;
  for (int i = 1; i <= changes; ++i) {
    hub->push("bench/one", {.files = {{"generation_config.json", generation_config(i)}}, .title = "Stop id"});
    transfer = {};
    const auto from = Clock::now();
    const watch::CheckReport report = watch::check_repo(tracked, reader, store, {}, now(), {}, {});
    times.push_back((Milliseconds(Clock::now() - from) - transfer).count());
    if (report.advisories.size() != 1) die("change " + std::to_string(i) + " gave no advisory: " + report.message);
    tracked = report.tracked;
  }
  std::nth_element(times.begin(), times.begin() + static_cast<long>(times.size() / 2), times.end());
  row(("change → advisory committed, median of " + std::to_string(changes)).c_str(), times[times.size() / 2], "ms", 50);

  const auto before = hub.log().last();
  const watch::CheckReport report = watch::check_repo(tracked, reader, store, {}, now(), {}, {});
  if (report.outcome != watch::CheckReport::Outcome::unchanged) die("an unchanged repository was not: " + report.message);
  row("requests per unchanged repository", static_cast<double>(hub.log().last() - before), "requests", 1);
}

double resident_mb(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return std::stod(line.substr(6)) / 1000;
  die("the daemon is gone");
}

/// Reads the daemon's log until the line that says it has started; its schedule is loaded then.
void wait_until_started(int log) {
  std::string text;
  char c;
  while (read(log, &c, 1) == 1) {
    text += c;
    if (c == '\n' && text.find("started") != std::string::npos) return;
  }
  die("the daemon did not start: " + text);
}

void idle_memory(const std::string& daemon, int repositories, const std::filesystem::path& folder) {
  const std::string database = (folder / "idle.db").string();
  {
    storage::Store store = must(storage::Store::open(database, storage::Access::read_write));
    for (int i = 0; i < repositories; ++i) {
      storage::Tracked tracked = must(store.track("bench/model-" + std::to_string(i), "main", {}, now()));
      tracked.last_check = now();
      tracked.next_check = now() + std::chrono::hours(1);
      must(store.update(tracked));
    }
  }
  std::ofstream(folder / "idle.toml") << "[hub]\nendpoint = \"http://127.0.0.1:1\"\n[http]\nport = 0\n";
  int log[2];
  if (pipe(log) != 0) die("pipe");
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(log[1], STDERR_FILENO);
    execl(daemon.c_str(), "modelwatchd", "--config", (folder / "idle.toml").c_str(), "--db", database.c_str(), nullptr);
    _exit(127);
  }
  close(log[1]);
  wait_until_started(log[0]);
  row(("idle memory, " + std::to_string(repositories) + " tracked repositories").c_str(), resident_mb(pid), "MB", 64);
  kill(pid, SIGTERM);
  waitpid(pid, nullptr, 0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) die("usage: pipeline_bench MODELWATCHD [CHANGES] [REPOSITORIES]");
  std::filesystem::path memory = std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path();
  std::string name = (memory / "modelwatch-bench-XXXXXX").string();
  if (!mkdtemp(name.data())) die("no folder for the databases");
  change_to_advisory(argc > 2 ? std::atoi(argv[2]) : 1000, name);
  idle_memory(argv[1], argc > 3 ? std::atoi(argv[3]) : 10'000, name);
  std::filesystem::remove_all(name);
}
